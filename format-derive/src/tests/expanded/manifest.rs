/// Segments with a copy in the object store.
#[derive(Clone, Debug, PartialEq)]
/**

# Bytes

| row | type | |
|---|---|---|
| `magic` | `[u8;4]` | magic. `FLOF`. |
| `version` | `u16` | version. 1. |
| `count` | `u32` | count. Number of entries. |
| `entries` | `Vec<ManifestEntry>` | value. By base offset when written. |
| `crc` | `u32` | checksum. Over every byte before it. |
*/
pub struct Manifest {
    /// By base offset when written.
    pub entries: Vec<ManifestEntry>,
}
///The fixed bytes of [`Manifest`] as they are stored.
#[derive(
    ::ondisk::__private::zerocopy::FromBytes,
    ::ondisk::__private::zerocopy::IntoBytes,
    ::ondisk::__private::zerocopy::KnownLayout,
    ::ondisk::__private::zerocopy::Immutable,
    ::ondisk::__private::zerocopy::Unaligned,
    ::core::clone::Clone,
    ::core::marker::Copy,
)]
#[zerocopy(crate = "::ondisk::__private::zerocopy")]
#[repr(C)]
pub struct ManifestLayout {
    ///`FLOF`.
    pub magic: [::core::primitive::u8; 4],
    ///1.
    pub version: ::ondisk::__private::zerocopy::byteorder::big_endian::U16,
    ///Number of entries.
    pub count: ::ondisk::__private::zerocopy::byteorder::big_endian::U32,
}
///The fixed bytes of [`Manifest`] as they are stored.
#[derive(
    ::ondisk::__private::zerocopy::FromBytes,
    ::ondisk::__private::zerocopy::IntoBytes,
    ::ondisk::__private::zerocopy::KnownLayout,
    ::ondisk::__private::zerocopy::Immutable,
    ::ondisk::__private::zerocopy::Unaligned,
    ::core::clone::Clone,
    ::core::marker::Copy,
)]
#[zerocopy(crate = "::ondisk::__private::zerocopy")]
#[repr(C)]
pub struct ManifestFoot {
    ///Over every byte before it.
    pub crc: ::ondisk::__private::zerocopy::byteorder::big_endian::U32,
}
///A validated look at the bytes of a [`Manifest`].
#[derive(::core::clone::Clone, ::core::marker::Copy)]
pub struct ManifestView<'__b> {
    __run0: &'__b ManifestLayout,
    __row3: ::ondisk::Seq<'__b, ManifestEntry>,
    __run2: &'__b ManifestFoot,
}
#[automatically_derived]
#[allow(
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::restriction,
    trivial_casts,
    trivial_numeric_casts,
    unused_comparisons,
    unused_mut,
    unused_parens,
    unused_qualifications,
    unused_variables,
    unreachable_pub,
)]
#[allow(dead_code)]
impl<'__b> ManifestView<'__b> {
    ///1.
    #[inline]
    #[must_use]
    pub fn version(&self) -> ::core::primitive::u16 {
        self.__run0.version.get()
    }
    ///Number of entries.
    #[inline]
    #[must_use]
    pub fn count(&self) -> ::core::primitive::u32 {
        self.__run0.count.get()
    }
    ///By base offset when written.
    #[inline]
    #[must_use]
    pub fn entries(&self) -> ::ondisk::Seq<'__b, ManifestEntry> {
        self.__row3
    }
    ///Over every byte before it.
    #[inline]
    #[must_use]
    pub fn crc(&self) -> ::core::primitive::u32 {
        self.__run2.crc.get()
    }
    /// The value that the bytes hold.
    #[must_use]
    pub fn to_value(&self) -> Manifest {
        Manifest {
            entries: ::ondisk::__private::values::<ManifestEntry, _>(self.entries()),
        }
    }
}
#[automatically_derived]
#[allow(
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::restriction,
    trivial_casts,
    trivial_numeric_casts,
    unused_comparisons,
    unused_mut,
    unused_parens,
    unused_qualifications,
    unused_variables,
    unreachable_pub,
)]
impl<'__b> ::core::fmt::Debug for ManifestView<'__b> {
    fn fmt(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        __f.debug_struct("ManifestView").field("entries", &self.entries()).finish()
    }
}
#[automatically_derived]
#[allow(
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::restriction,
    trivial_casts,
    trivial_numeric_casts,
    unused_comparisons,
    unused_mut,
    unused_parens,
    unused_qualifications,
    unused_variables,
    unreachable_pub,
)]
impl ::ondisk::format::Format for Manifest {
    type View<'__b> = ManifestView<'__b>;
    type Value<'__b> = Manifest;
    type Layout = [::core::primitive::u8; 0];
    type Versioned = Self;
    const KIND: &'static ::ondisk::Kind = &::ondisk::Kind {
        name: "Manifest",
        module: ::core::module_path!(),
        doc: "Segments with a copy in the object store.",
        shape: ::ondisk::describe::Shape::Rows(
            &[
                ::ondisk::describe::Row {
                    name: "magic",
                    doc: "`FLOF`.",
                    ty: ::ondisk::describe::Type::Array(4),
                    role: ::ondisk::describe::Role::Magic(b"FLOF"),
                    in_value: false,
                    offset: ::core::option::Option::Some(
                        ::core::mem::offset_of!(ManifestLayout, magic),
                    ),
                    size: ::core::option::Option::Some((4)),
                    bits: ::core::option::Option::None,
                    presence: ::ondisk::describe::Presence::Always,
                    since: 0u32,
                    until: 4294967295u32,
                    min: ::core::option::Option::None,
                    max: ::core::option::Option::None,
                    endian: ::ondisk::describe::Endian::Big,
                    rules: &[],
                },
                ::ondisk::describe::Row {
                    name: "version",
                    doc: "1.",
                    ty: ::ondisk::describe::Type::Uint(2u8),
                    role: ::ondisk::describe::Role::Version,
                    in_value: false,
                    offset: ::core::option::Option::Some(
                        ::core::mem::offset_of!(ManifestLayout, version),
                    ),
                    size: ::core::option::Option::Some(2usize),
                    bits: ::core::option::Option::None,
                    presence: ::ondisk::describe::Presence::Always,
                    since: 0u32,
                    until: 4294967295u32,
                    min: ::core::option::Option::None,
                    max: ::core::option::Option::None,
                    endian: ::ondisk::describe::Endian::Big,
                    rules: &[],
                },
                ::ondisk::describe::Row {
                    name: "count",
                    doc: "Number of entries.",
                    ty: ::ondisk::describe::Type::Uint(4u8),
                    role: ::ondisk::describe::Role::Count(3u16),
                    in_value: false,
                    offset: ::core::option::Option::Some(
                        ::core::mem::offset_of!(ManifestLayout, count),
                    ),
                    size: ::core::option::Option::Some(4usize),
                    bits: ::core::option::Option::None,
                    presence: ::ondisk::describe::Presence::Always,
                    since: 0u32,
                    until: 4294967295u32,
                    min: ::core::option::Option::None,
                    max: ::core::option::Option::None,
                    endian: ::ondisk::describe::Endian::Big,
                    rules: &[],
                },
                ::ondisk::describe::Row {
                    name: "entries",
                    doc: "By base offset when written.",
                    ty: ::ondisk::describe::Type::Seq(|| {
                        <ManifestEntry as ::ondisk::format::Format>::KIND
                    }),
                    role: ::ondisk::describe::Role::Value,
                    in_value: true,
                    offset: ::core::option::Option::None,
                    size: ::core::option::Option::None,
                    bits: ::core::option::Option::None,
                    presence: ::ondisk::describe::Presence::Always,
                    since: 0u32,
                    until: 4294967295u32,
                    min: ::core::option::Option::None,
                    max: ::core::option::Option::None,
                    endian: ::ondisk::describe::Endian::Big,
                    rules: &[],
                },
                ::ondisk::describe::Row {
                    name: "crc",
                    doc: "Over every byte before it.",
                    ty: ::ondisk::describe::Type::Uint(4u8),
                    role: ::ondisk::describe::Role::Checksum(
                        ::ondisk::checksum::Algorithm::Crc32,
                        &[
                            ::ondisk::describe::Rows {
                                from: 0u16,
                                to: 4u16,
                            },
                        ],
                    ),
                    in_value: false,
                    offset: ::core::option::Option::None,
                    size: ::core::option::Option::Some(4usize),
                    bits: ::core::option::Option::None,
                    presence: ::ondisk::describe::Presence::Always,
                    since: 0u32,
                    until: 4294967295u32,
                    min: ::core::option::Option::None,
                    max: ::core::option::Option::None,
                    endian: ::ondisk::describe::Endian::Big,
                    rules: &[],
                },
            ],
        ),
        file: ::core::option::Option::Some("offload.manifest"),
        head_of: ::core::option::Option::None,
        whole: true,
        class: ::core::option::Option::Some(::ondisk::describe::Class::Authoritative),
        endian: ::ondisk::describe::Endian::Big,
        versions: ::core::option::Option::Some(::ondisk::describe::Versions {
            min: 1u32,
            max: 1u32,
            writes: 1u32,
            adopt: false,
            gates: &[],
        }),
        version_of: ::core::option::Option::None,
        trailing: ::ondisk::describe::Trailing::Refuse,
        canonical: false,
        size: <Self as ::ondisk::format::Format>::SIZE,
        min: <Self as ::ondisk::format::Format>::MIN,
        steps: &[
            ::ondisk::describe::Step {
                row: 65535u16,
                check: ::ondisk::describe::Check::Short,
            },
            ::ondisk::describe::Step {
                row: 4u16,
                check: ::ondisk::describe::Check::Checksum(
                    ::ondisk::checksum::Algorithm::Crc32,
                ),
            },
            ::ondisk::describe::Step {
                row: 0u16,
                check: ::ondisk::describe::Check::Magic,
            },
            ::ondisk::describe::Step {
                row: 1u16,
                check: ::ondisk::describe::Check::Version,
            },
            ::ondisk::describe::Step {
                row: 2u16,
                check: ::ondisk::describe::Check::Count,
            },
            ::ondisk::describe::Step {
                row: 3u16,
                check: ::ondisk::describe::Check::Fits,
            },
            ::ondisk::describe::Step {
                row: 3u16,
                check: ::ondisk::describe::Check::Entries,
            },
            ::ondisk::describe::Step {
                row: 65535u16,
                check: ::ondisk::describe::Check::Trailing,
            },
            ::ondisk::describe::Step {
                row: 65535u16,
                check: ::ondisk::describe::Check::Rule("entries do not overlap"),
            },
        ],
    };
    const MIN: ::core::primitive::usize = 0 + ::core::mem::size_of::<ManifestLayout>()
        + 0usize + ::core::mem::size_of::<ManifestFoot>();
    const SIZE: ::core::option::Option<::core::primitive::usize> = ::core::option::Option::None;
    const DEPTH: ::core::primitive::usize = {
        let mut __depth = 0;
        if <ManifestEntry as ::ondisk::format::Format>::DEPTH >= __depth {
            __depth = 1 + <ManifestEntry as ::ondisk::format::Format>::DEPTH;
        }
        __depth
    };
    const TAKES_ALL: ::core::primitive::bool = true;
    #[inline]
    fn open<'__b, __E: ::ondisk::Fail, const __LEVEL: ::core::primitive::u8>(
        __input: &'__b [::core::primitive::u8],
        __at: ::core::primitive::usize,
        __cx: ::ondisk::format::Cx,
    ) -> ::core::result::Result<(ManifestView<'__b>, ::core::primitive::usize), __E> {
        if __input.len() < <Self as ::ondisk::__private::Format>::MIN {
            return ::core::result::Result::Err(
                ::ondisk::__private::short::<
                    __E,
                >(
                    <Self as ::ondisk::__private::Format>::KIND,
                    ::core::primitive::u16::MAX,
                    __at,
                    <Self as ::ondisk::__private::Format>::MIN as ::core::primitive::u64,
                    __input.len(),
                    __cx.closed,
                ),
            );
        }
        let ::core::result::Result::Ok((__run0, _)) = <ManifestLayout as ::ondisk::__private::zerocopy::FromBytes>::ref_from_prefix(
            __input,
        ) else {
            return ::core::result::Result::Err(
                ::ondisk::__private::short::<
                    __E,
                >(
                    <Self as ::ondisk::__private::Format>::KIND,
                    ::core::primitive::u16::MAX,
                    __at,
                    <Self as ::ondisk::__private::Format>::MIN as ::core::primitive::u64,
                    __input.len(),
                    __cx.closed,
                ),
            )
        };
        let __start1 = ::core::mem::size_of::<ManifestLayout>();
        let ::core::result::Result::Ok((_, __run2)) = <ManifestFoot as ::ondisk::__private::zerocopy::FromBytes>::ref_from_suffix(
            __input,
        ) else {
            return ::core::result::Result::Err(
                ::ondisk::__private::short::<
                    __E,
                >(
                    <Self as ::ondisk::__private::Format>::KIND,
                    ::core::primitive::u16::MAX,
                    __at,
                    <Self as ::ondisk::__private::Format>::MIN as ::core::primitive::u64,
                    __input.len(),
                    __cx.closed,
                ),
            )
        };
        let __end = __input.len() - ::core::mem::size_of::<ManifestFoot>();
        let __cx = ::ondisk::format::Cx {
            version: __run0.version.get() as ::core::primitive::u16
                as ::core::primitive::u32,
            ..__cx
        };
        if __LEVEL >= ::ondisk::format::FULL {
            {
                let __stored = __run2.crc.get();
                let __computed = 0;
                let __computed = ::ondisk::checksum::crc32(
                    __computed,
                    __input
                        .get(
                            (0usize
                                + ::core::mem::offset_of!(
                                    ManifestLayout, magic
                                ))..(__end + ::core::mem::offset_of!(ManifestFoot, crc)),
                        )
                        .unwrap_or(&[]),
                );
                if __computed != __stored {
                    return ::core::result::Result::Err(
                        <__E as ::ondisk::Fail>::fail(|| {
                            ::ondisk::Error::new(
                                <Self as ::ondisk::format::Format>::KIND,
                                4u16,
                                __at
                                    .saturating_add(
                                        (__end + ::core::mem::offset_of!(ManifestFoot, crc)),
                                    ),
                                ::ondisk::Fault::Checksum {
                                    expected: ::core::convert::Into::into(__stored),
                                    found: ::core::convert::Into::into(__computed),
                                },
                            )
                        }),
                    );
                }
            }
        }
        if __LEVEL >= ::ondisk::format::WALK {
            if !(*(&__run0.magic) == *b"FLOF") {
                return ::core::result::Result::Err(
                    <__E as ::ondisk::Fail>::fail(|| {
                        ::ondisk::Error::new(
                            <Self as ::ondisk::format::Format>::KIND,
                            0u16,
                            __at
                                .saturating_add(
                                    (0usize + ::core::mem::offset_of!(ManifestLayout, magic)),
                                ),
                            ::ondisk::Fault::Magic {
                                expected: ::ondisk::Bytes8::of(const { b"FLOF" }),
                                found: ::ondisk::Bytes8::of(
                                    ::ondisk::__private::zerocopy::IntoBytes::as_bytes(
                                        &__run0.magic,
                                    ),
                                ),
                            },
                        )
                    }),
                );
            }
        }
        if __LEVEL >= ::ondisk::format::WALK {
            if !(__cx.version == 1u32) {
                return ::core::result::Result::Err(
                    <__E as ::ondisk::Fail>::fail(|| {
                        ::ondisk::Error::new(
                            <Self as ::ondisk::format::Format>::KIND,
                            1u16,
                            __at
                                .saturating_add(
                                    (0usize + ::core::mem::offset_of!(ManifestLayout, version)),
                                ),
                            ::ondisk::Fault::Version {
                                found: __cx.version,
                                min: 1u32,
                                max: 1u32,
                            },
                        )
                    }),
                );
            }
        }
        if __LEVEL >= ::ondisk::format::WALK {
            ::ondisk::__private::count_fits::<
                ManifestEntry,
                __E,
            >(
                {
                    ::ondisk::__private::Place {
                        kind: <Self as ::ondisk::__private::Format>::KIND,
                        row: 3u16,
                        at: __at,
                        pos: __start1,
                        end: __end,
                        behind: <__E as ::ondisk::__private::Fail>::number(|| {
                            0u64
                                .saturating_add(
                                    (::core::mem::size_of::<ManifestFoot>()
                                        as ::core::primitive::u64),
                                )
                        }),
                        available: __input.len(),
                        count: ::core::option::Option::Some(
                            (__run0.count.get() as ::core::primitive::u64),
                        ),
                        torn: false,
                        last: true,
                    }
                },
                (__run0.count.get() as ::core::primitive::u64),
                __cx.nested((__cx.closed || __LEVEL >= ::ondisk::format::FULL)),
            )?;
        }
        let (__row3, __start2) = ::ondisk::__private::open_entries::<
            ManifestEntry,
            __E,
            __LEVEL,
        >(
            __input,
            {
                ::ondisk::__private::Place {
                    kind: <Self as ::ondisk::__private::Format>::KIND,
                    row: 3u16,
                    at: __at,
                    pos: __start1,
                    end: __end,
                    behind: <__E as ::ondisk::__private::Fail>::number(|| {
                        0u64
                            .saturating_add(
                                (::core::mem::size_of::<ManifestFoot>()
                                    as ::core::primitive::u64),
                            )
                    }),
                    available: __input.len(),
                    count: ::core::option::Option::Some(
                        (__run0.count.get() as ::core::primitive::u64),
                    ),
                    torn: false,
                    last: true,
                }
            },
            __cx.nested((__cx.closed || __LEVEL >= ::ondisk::format::FULL)),
        )?;
        if __LEVEL >= ::ondisk::format::FULL {
            if __start2 < __end {
                return ::core::result::Result::Err(
                    <__E as ::ondisk::Fail>::fail(|| {
                        ::ondisk::Error::new(
                            <Self as ::ondisk::format::Format>::KIND,
                            65535u16,
                            __at.saturating_add(__start2),
                            ::ondisk::Fault::Trailing {
                                left: (__end - __start2) as ::core::primitive::u64,
                            },
                        )
                    }),
                );
            }
        }
        let __view = ManifestView {
            __run0,
            __row3,
            __run2,
        };
        if (__LEVEL >= ::ondisk::format::FULL || __LEVEL == ::ondisk::format::RULES)
            && let ::core::result::Result::Err(__fault) = entries_do_not_overlap(&__view)
        {
            return ::core::result::Result::Err(
                <__E as ::ondisk::Fail>::fail(|| {
                    ::ondisk::Error::new(
                        <Self as ::ondisk::format::Format>::KIND,
                        65535u16,
                        __at.saturating_add(0usize),
                        __fault,
                    )
                }),
            );
        }
        ::core::result::Result::Ok((__view, __input.len()))
    }
    fn value<'__b>(
        __view: <Self as ::ondisk::format::Format>::View<'__b>,
    ) -> <Self as ::ondisk::format::Format>::Value<'__b> {
        __view.to_value()
    }
}
#[automatically_derived]
#[allow(
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::restriction,
    trivial_casts,
    trivial_numeric_casts,
    unused_comparisons,
    unused_mut,
    unused_parens,
    unused_qualifications,
    unused_variables,
    unreachable_pub,
)]
#[allow(dead_code)]
impl Manifest {
    /// The description of this kind.
    pub const KIND: &'static ::ondisk::Kind = <Self as ::ondisk::format::Format>::KIND;
    /// The least number of bytes.
    pub const MIN: ::core::primitive::usize = <Self as ::ondisk::format::Format>::MIN;
    /// The number of bytes, if every instance has the same.
    pub const SIZE: ::core::option::Option<::core::primitive::usize> = <Self as ::ondisk::format::Format>::SIZE;
    /// Makes every check on `bytes`, which must be exactly one of this kind.
    ///
    /// # Errors
    /// The first check that fails, at its position.
    #[inline]
    pub fn view(
        bytes: &[::core::primitive::u8],
    ) -> ::core::result::Result<ManifestView<'_>, ::ondisk::Error> {
        ::ondisk::format::open_whole::<Self, { ::ondisk::format::FULL }>(bytes, 0)
    }
    /// The version written by default under `levels`.
    #[must_use]
    pub fn write_version(
        levels: &::ondisk::FeatureLevels<'_>,
    ) -> ::ondisk::WriteVersion<Self> {
        ::ondisk::WriteVersion::default_under(levels)
    }
    /// Exactly `version`, if `levels` allow it.
    ///
    /// # Errors
    /// A version that no build writes, or whose feature is not finalized.
    pub fn write_at(
        version: ::core::primitive::u32,
        levels: &::ondisk::FeatureLevels<'_>,
    ) -> ::core::result::Result<::ondisk::WriteVersion<Self>, ::ondisk::GateError> {
        ::ondisk::WriteVersion::at(version, levels)
    }
    ::ondisk::__alloc! {
        #[doc = r" Appends the bytes of the value. On an error `out` is as it was."]
        #[doc = r""] #[doc = r" # Errors"] #[doc =
        r" A value that would not read back as what it is."] #[inline] pub fn encode(&
        self, version : ::ondisk::WriteVersion < Self >, out : & mut
        ::ondisk::__private::Vec < ::core::primitive::u8 >,) -> ::core::result::Result <
        (), ::ondisk::EncodeError > { ::ondisk::encode::Encode::encode_at(self, version
        .get(), out) } #[doc =
        r" Exactly the bytes that [`encode`](Self::encode) appends."] #[must_use] pub fn
        encoded_len(& self, version : ::ondisk::WriteVersion < Self >,) ->
        ::core::primitive::usize { ::ondisk::encode::Encode::encoded_len_at(self, version
        .get()) }
    }
}
const _: () = ::core::assert!(
    < Manifest as ::ondisk::format::Format > ::DEPTH < ::ondisk::walk::MOST_DEPTH,
    "kinds are nested too deep",
);
const _: () = ::core::assert!(
    ::ondisk::format::takes_version_of:: < ManifestEntry, Manifest > (),
    "this kind takes its version from one that does not govern here",
);
const _: () = ::core::assert!(
    ! ::ondisk::format::has_several_versions:: < ManifestEntry > (),
    "this kind has several versions of its own, and no writer of another kind can say which",
);
const _: () = ::core::assert!(
    ! < ManifestEntry as ::ondisk::format::Format > ::TAKES_ALL,
    "an entry says where it ends"
);
::ondisk::__alloc! {
    #[automatically_derived] #[allow(clippy::all, clippy::pedantic, clippy::nursery,
    clippy::restriction, trivial_casts, trivial_numeric_casts, unused_comparisons,
    unused_mut, unused_parens, unused_qualifications, unused_variables,
    unreachable_pub,)] impl ::ondisk::encode::Encode for Manifest { fn encoded_len_at(&
    self, __version : ::core::primitive::u32) -> ::core::primitive::usize { let __value =
    self; 0 + ::core::mem::size_of:: < ManifestLayout > () + { let mut __sum = 0usize;
    for __entry in (& __value.entries) { __sum += < ManifestEntry as
    ::ondisk::encode::Encode > ::encoded_len_at(__entry,
    ::ondisk::format::version_inside:: < ManifestEntry > (__version)); } __sum } +
    ::core::mem::size_of:: < ManifestFoot > () } #[inline] fn encode_at(& self, __version
    : ::core::primitive::u32, __out : & mut ::ondisk::__private::Vec <
    ::core::primitive::u8 >,) -> ::core::result::Result < (), ::ondisk::EncodeError > {
    let __value = self; let __base = __out.len(); let __written = (|| ->
    ::core::result::Result < (), ::ondisk::EncodeError > { let __start0 = 0usize; let mut
    __head = ManifestLayout { magic : * b"FLOF", version : <
    ::ondisk::__private::zerocopy::byteorder::big_endian::U16 > ::new(__version as
    ::core::primitive::u16), count : <
    ::ondisk::__private::zerocopy::byteorder::big_endian::U32 > ::new({ let __total =
    __value.entries.len(); if (__total as ::core::primitive::i128) > 4294967295u64 as
    ::core::primitive::i128 { return
    ::core::result::Result::Err(::ondisk::EncodeError::new(< Self as
    ::ondisk::format::Format > ::KIND, 2u16, ::ondisk::Fault::TooLarge { found : __total
    as ::core::primitive::u64, limit : 4294967295u64 as ::core::primitive::u64, },)); }
    __total as ::core::primitive::u32 }) }; __out
    .reserve(::ondisk::encode::Encode::encoded_len_at(__value, __version)); __out
    .extend_from_slice(::ondisk::__private::zerocopy::IntoBytes::as_bytes(& __head)); let
    __start1 = ::core::mem::size_of:: < ManifestLayout > (); for __entry in (& __value
    .entries) { < ManifestEntry as ::ondisk::encode::Encode > ::encode_at(__entry,
    ::ondisk::format::version_inside:: < ManifestEntry > (__version), __out) ?; } let
    __start2 = __out.len() - __base; __out
    .extend_from_slice(::ondisk::__private::zerocopy::IntoBytes::as_bytes(& ManifestFoot
    { crc : < ::ondisk::__private::zerocopy::byteorder::big_endian::U32 > ::new(0) }));
    let __start3 = __out.len() - __base; let __sum4 = 0; let __sum4 =
    ::ondisk::checksum::crc32(__sum4, __out.get(__base + (__start0 +
    ::core::mem::offset_of!(ManifestLayout, magic))..__base + (__start2 +
    ::core::mem::offset_of!(ManifestFoot, crc))).unwrap_or(& [])); if let
    ::core::option::Option::Some(__slot) = __out.get_mut(__base + (__start2 +
    ::core::mem::offset_of!(ManifestFoot, crc))..__base + (__start2 +
    ::core::mem::offset_of!(ManifestFoot, crc)) + 4usize) { __slot.copy_from_slice(&
    __sum4.to_be_bytes()); } if < Self as ::ondisk::format::Format > ::open:: < (), {
    ::ondisk::format::RULES } > (__out.get(__base..).unwrap_or(& []), 0,
    ::ondisk::format::Cx { version : __version, closed : true, whole : true },).is_err()
    { return ::core::result::Result::Err(::ondisk::format::explain_rules:: < Self >
    (__out.get(__base..).unwrap_or(& []), __version)); } ::core::result::Result::Ok(())
    }) (); if ::core::result::Result::is_err(& __written) { __out.truncate(__base); }
    __written } fn rewrite < '__b > (__view : < Self as ::ondisk::format::Format > ::View
    < '__b >, __version : ::core::primitive::u32, __out : & mut ::ondisk::__private::Vec
    < ::core::primitive::u8 >,) -> ::core::result::Result < (), ::ondisk::EncodeError > {
    ::ondisk::encode::Encode::encode_at(& __view.to_value(), __version, __out) } }
}
::ondisk::__arbitrary! {
    #[automatically_derived] #[allow(clippy::all, clippy::pedantic, clippy::nursery,
    clippy::restriction, trivial_casts, trivial_numeric_casts, unused_comparisons,
    unused_mut, unused_parens, unused_qualifications, unused_variables,
    unreachable_pub,)] impl < '__b > ::ondisk::arbitrary::ArbitraryAt < '__b > for
    Manifest { fn arbitrary_at(__from : & mut
    ::ondisk::__private::arbitrary::Unstructured < '__b >, __version :
    ::core::primitive::u32,) -> ::ondisk::__private::arbitrary::Result < Self > { let
    __made3 = ::ondisk::__private::generate::entries:: < ManifestEntry > (__from, 0..=
    4294967295u64, ::ondisk::format::version_inside:: < ManifestEntry > (__version)) ?;
    let __value = Manifest { entries : __made3 }; ::core::result::Result::Ok(__value) } }
    #[automatically_derived] #[allow(clippy::all, clippy::pedantic, clippy::nursery,
    clippy::restriction, trivial_casts, trivial_numeric_casts, unused_comparisons,
    unused_mut, unused_parens, unused_qualifications, unused_variables,
    unreachable_pub,)] impl < '__b > ::ondisk::__private::arbitrary::Arbitrary < '__b >
    for Manifest { fn arbitrary(__from : & mut
    ::ondisk::__private::arbitrary::Unstructured < '__b >) ->
    ::ondisk::__private::arbitrary::Result < Self > { < Self as
    ::ondisk::arbitrary::ArbitraryAt < '__b >> ::arbitrary_at(__from, 1u32) } }
    #[automatically_derived] #[allow(clippy::all, clippy::pedantic, clippy::nursery,
    clippy::restriction, trivial_casts, trivial_numeric_casts, unused_comparisons,
    unused_mut, unused_parens, unused_qualifications, unused_variables,
    unreachable_pub,)] impl ::ondisk::arbitrary::Generate for Manifest { fn
    generate(__from : & mut ::ondisk::__private::arbitrary::Unstructured < '_ >,
    __version : ::core::primitive::u32,) -> ::ondisk::__private::arbitrary::Result <
    ::core::result::Result < ::ondisk::__private::Vec < ::core::primitive::u8 >,
    ::ondisk::EncodeError >> { let __value = < Manifest as
    ::ondisk::arbitrary::ArbitraryAt < '_ >> ::arbitrary_at(__from, __version) ?; let mut
    __bytes = ::ondisk::__private::Vec::new();
    ::core::result::Result::Ok(::ondisk::encode::Encode::encode_at(& __value, __version,
    & mut __bytes).map(| () | __bytes),) } }
}
