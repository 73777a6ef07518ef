/// Header of a segment.
#[derive(Clone, Debug, PartialEq)]
/**

# Bytes

| row | type | |
|---|---|---|
| `magic` | `[u8;4]` | magic. `FLSG`. |
| `version` | `u16` | version. 4 from the first generation-start record on. |
| `flags` | `u16` | must be. Unknown bits may change the layout behind them. |
| `base_offset` | `u64` | value. Offset of the first record, also while there is none. |
| `created_at_micros` | `u64` | value. Wall clock, informational. |
| `header_crc` | `u32` | checksum. Over the bytes before it. |
| `reserved` | `u32` | reserved, 0. Outside the checksum. |
*/
pub struct SegmentHeader {
    /// Offset of the first record, also while there is none.
    pub base_offset: u64,
    /// Wall clock, informational.
    pub created_at_micros: u64,
}
///The fixed bytes of [`SegmentHeader`] as they are stored.
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
pub struct SegmentHeaderLayout {
    ///`FLSG`.
    pub magic: [::core::primitive::u8; 4],
    ///4 from the first generation-start record on.
    pub version: ::ondisk::__private::zerocopy::byteorder::big_endian::U16,
    ///Unknown bits may change the layout behind them.
    pub flags: ::ondisk::__private::zerocopy::byteorder::big_endian::U16,
    ///Offset of the first record, also while there is none.
    pub base_offset: ::ondisk::__private::zerocopy::byteorder::big_endian::U64,
    ///Wall clock, informational.
    pub created_at_micros: ::ondisk::__private::zerocopy::byteorder::big_endian::U64,
    ///Over the bytes before it.
    pub header_crc: ::ondisk::__private::zerocopy::byteorder::big_endian::U32,
    ///Outside the checksum.
    pub reserved: ::ondisk::__private::zerocopy::byteorder::big_endian::U32,
}
///A validated look at the bytes of a [`SegmentHeader`].
#[derive(::core::clone::Clone, ::core::marker::Copy)]
pub struct SegmentHeaderView<'__b> {
    __run0: &'__b SegmentHeaderLayout,
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
impl<'__b> SegmentHeaderView<'__b> {
    ///4 from the first generation-start record on.
    #[inline]
    #[must_use]
    pub fn version(&self) -> ::core::primitive::u16 {
        self.__run0.version.get()
    }
    ///Unknown bits may change the layout behind them.
    #[inline]
    #[must_use]
    pub fn flags(&self) -> ::core::primitive::u16 {
        self.__run0.flags.get()
    }
    ///Offset of the first record, also while there is none.
    #[inline]
    #[must_use]
    pub fn base_offset(&self) -> ::core::primitive::u64 {
        self.__run0.base_offset.get()
    }
    ///Wall clock, informational.
    #[inline]
    #[must_use]
    pub fn created_at_micros(&self) -> ::core::primitive::u64 {
        self.__run0.created_at_micros.get()
    }
    ///Over the bytes before it.
    #[inline]
    #[must_use]
    pub fn header_crc(&self) -> ::core::primitive::u32 {
        self.__run0.header_crc.get()
    }
    /// The value that the bytes hold.
    #[must_use]
    pub fn to_value(&self) -> SegmentHeader {
        SegmentHeader {
            base_offset: self.base_offset(),
            created_at_micros: self.created_at_micros(),
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
impl<'__b> ::core::fmt::Debug for SegmentHeaderView<'__b> {
    fn fmt(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        __f.debug_struct("SegmentHeaderView")
            .field("base_offset", &self.base_offset())
            .field("created_at_micros", &self.created_at_micros())
            .finish()
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
impl ::ondisk::format::Format for SegmentHeader {
    type View<'__b> = SegmentHeaderView<'__b>;
    type Value<'__b> = SegmentHeader;
    type Layout = SegmentHeaderLayout;
    type Versioned = Self;
    const KIND: &'static ::ondisk::Kind = &::ondisk::Kind {
        name: "SegmentHeader",
        module: ::core::module_path!(),
        doc: "Header of a segment.",
        shape: ::ondisk::describe::Shape::Rows(
            &[
                ::ondisk::describe::Row {
                    name: "magic",
                    doc: "`FLSG`.",
                    ty: ::ondisk::describe::Type::Array(4),
                    role: ::ondisk::describe::Role::Magic(b"FLSG"),
                    in_value: false,
                    offset: ::core::option::Option::Some(
                        ::core::mem::offset_of!(SegmentHeaderLayout, magic),
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
                    doc: "4 from the first generation-start record on.",
                    ty: ::ondisk::describe::Type::Uint(2u8),
                    role: ::ondisk::describe::Role::Version,
                    in_value: false,
                    offset: ::core::option::Option::Some(
                        ::core::mem::offset_of!(SegmentHeaderLayout, version),
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
                    name: "flags",
                    doc: "Unknown bits may change the layout behind them.",
                    ty: ::ondisk::describe::Type::Uint(2u8),
                    role: ::ondisk::describe::Role::MustBe(
                        &<::core::primitive::u16>::to_be_bytes(0),
                    ),
                    in_value: false,
                    offset: ::core::option::Option::Some(
                        ::core::mem::offset_of!(SegmentHeaderLayout, flags),
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
                    name: "base_offset",
                    doc: "Offset of the first record, also while there is none.",
                    ty: ::ondisk::describe::Type::Uint(8u8),
                    role: ::ondisk::describe::Role::Value,
                    in_value: true,
                    offset: ::core::option::Option::Some(
                        ::core::mem::offset_of!(SegmentHeaderLayout, base_offset),
                    ),
                    size: ::core::option::Option::Some(8usize),
                    bits: ::core::option::Option::None,
                    presence: ::ondisk::describe::Presence::Always,
                    since: 0u32,
                    until: 4294967295u32,
                    min: ::core::option::Option::None,
                    max: ::core::option::Option::None,
                    endian: ::ondisk::describe::Endian::Big,
                    rules: &["leaves room for a tail"],
                },
                ::ondisk::describe::Row {
                    name: "created_at_micros",
                    doc: "Wall clock, informational.",
                    ty: ::ondisk::describe::Type::Uint(8u8),
                    role: ::ondisk::describe::Role::Value,
                    in_value: true,
                    offset: ::core::option::Option::Some(
                        ::core::mem::offset_of!(SegmentHeaderLayout, created_at_micros),
                    ),
                    size: ::core::option::Option::Some(8usize),
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
                    name: "header_crc",
                    doc: "Over the bytes before it.",
                    ty: ::ondisk::describe::Type::Uint(4u8),
                    role: ::ondisk::describe::Role::Checksum(
                        ::ondisk::checksum::Algorithm::Crc32,
                        &[
                            ::ondisk::describe::Rows {
                                from: 0u16,
                                to: 5u16,
                            },
                        ],
                    ),
                    in_value: false,
                    offset: ::core::option::Option::Some(
                        ::core::mem::offset_of!(SegmentHeaderLayout, header_crc),
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
                    name: "reserved",
                    doc: "Outside the checksum.",
                    ty: ::ondisk::describe::Type::Uint(4u8),
                    role: ::ondisk::describe::Role::Reserved,
                    in_value: false,
                    offset: ::core::option::Option::Some(
                        ::core::mem::offset_of!(SegmentHeaderLayout, reserved),
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
            ],
        ),
        file: ::core::option::Option::None,
        head_of: ::core::option::Option::Some("{segment:020}.log"),
        whole: false,
        class: ::core::option::Option::Some(::ondisk::describe::Class::Authoritative),
        endian: ::ondisk::describe::Endian::Big,
        versions: ::core::option::Option::Some(::ondisk::describe::Versions {
            min: 2u32,
            max: 4u32,
            writes: 3u32,
            adopt: false,
            gates: &[
                ::ondisk::describe::Gate {
                    version: 4u32,
                    feature: feature::GENERATION_START,
                },
            ],
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
                row: 0u16,
                check: ::ondisk::describe::Check::Magic,
            },
            ::ondisk::describe::Step {
                row: 1u16,
                check: ::ondisk::describe::Check::Version,
            },
            ::ondisk::describe::Step {
                row: 2u16,
                check: ::ondisk::describe::Check::MustBe,
            },
            ::ondisk::describe::Step {
                row: 5u16,
                check: ::ondisk::describe::Check::Checksum(
                    ::ondisk::checksum::Algorithm::Crc32,
                ),
            },
            ::ondisk::describe::Step {
                row: 3u16,
                check: ::ondisk::describe::Check::Rule("leaves room for a tail"),
            },
        ],
    };
    const MIN: ::core::primitive::usize = 0
        + ::core::mem::size_of::<SegmentHeaderLayout>();
    const SIZE: ::core::option::Option<::core::primitive::usize> = ::core::option::Option::Some(
        Self::MIN,
    );
    const DEPTH: ::core::primitive::usize = {
        let mut __depth = 0;
        __depth
    };
    const TAKES_ALL: ::core::primitive::bool = false;
    #[inline]
    fn open<'__b, __E: ::ondisk::Fail, const __LEVEL: ::core::primitive::u8>(
        __input: &'__b [::core::primitive::u8],
        __at: ::core::primitive::usize,
        __cx: ::ondisk::format::Cx,
    ) -> ::core::result::Result<
        (SegmentHeaderView<'__b>, ::core::primitive::usize),
        __E,
    > {
        let ::core::result::Result::Ok((__run0, _)) = <SegmentHeaderLayout as ::ondisk::__private::zerocopy::FromBytes>::ref_from_prefix(
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
        let __start1 = ::core::mem::size_of::<SegmentHeaderLayout>();
        let __end = __input.len();
        <Self as ::ondisk::format::Fixed>::check::<__E, __LEVEL>(__run0, __at, __cx)?;
        ::core::result::Result::Ok((
            SegmentHeaderView { __run0 },
            <Self as ::ondisk::format::Format>::MIN,
        ))
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
impl ::ondisk::format::Fixed for SegmentHeader {
    #[inline]
    fn check<__E: ::ondisk::Fail, const __LEVEL: ::core::primitive::u8>(
        __run0: &SegmentHeaderLayout,
        __at: ::core::primitive::usize,
        __cx: ::ondisk::format::Cx,
    ) -> ::core::result::Result<(), __E> {
        let __cx = ::ondisk::format::Cx {
            version: __run0.version.get() as ::core::primitive::u16
                as ::core::primitive::u32,
            ..__cx
        };
        if __LEVEL >= ::ondisk::format::WALK {
            if !(*(&__run0.magic) == *b"FLSG") {
                return ::core::result::Result::Err(
                    <__E as ::ondisk::Fail>::fail(|| {
                        ::ondisk::Error::new(
                            <Self as ::ondisk::format::Format>::KIND,
                            0u16,
                            __at
                                .saturating_add(
                                    (0usize
                                        + ::core::mem::offset_of!(SegmentHeaderLayout, magic)),
                                ),
                            ::ondisk::Fault::Magic {
                                expected: ::ondisk::Bytes8::of(const { b"FLSG" }),
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
            if !(2u32 <= __cx.version && __cx.version <= 4u32) {
                return ::core::result::Result::Err(
                    <__E as ::ondisk::Fail>::fail(|| {
                        ::ondisk::Error::new(
                            <Self as ::ondisk::format::Format>::KIND,
                            1u16,
                            __at
                                .saturating_add(
                                    (0usize
                                        + ::core::mem::offset_of!(SegmentHeaderLayout, version)),
                                ),
                            ::ondisk::Fault::Version {
                                found: __cx.version,
                                min: 2u32,
                                max: 4u32,
                            },
                        )
                    }),
                );
            }
        }
        if __LEVEL >= ::ondisk::format::WALK {
            {
                let __found = __run0.flags.get();
                if __found
                    != const {
                        let __number: ::core::primitive::u16 = 0;
                        __number
                    }
                {
                    return ::core::result::Result::Err(
                        <__E as ::ondisk::Fail>::fail(|| {
                            ::ondisk::Error::new(
                                <Self as ::ondisk::format::Format>::KIND,
                                2u16,
                                __at
                                    .saturating_add(
                                        (0usize
                                            + ::core::mem::offset_of!(SegmentHeaderLayout, flags)),
                                    ),
                                ::ondisk::Fault::MustBe {
                                    expected: const {
                                        let __number: ::core::primitive::u16 = 0;
                                        __number
                                    } as ::core::primitive::u16 as ::core::primitive::u64,
                                    found: __found as ::core::primitive::u16
                                        as ::core::primitive::u64,
                                },
                            )
                        }),
                    );
                }
            }
        }
        if __LEVEL >= ::ondisk::format::WALK {
            {
                let __stored = __run0.header_crc.get();
                let __computed = 0;
                let __computed = ::ondisk::checksum::crc32_of(
                    __computed,
                    ::ondisk::__private::span::<
                        { ::core::mem::offset_of!(SegmentHeaderLayout, magic) },
                        {
                            ::core::mem::offset_of!(SegmentHeaderLayout, header_crc)
                                - ::core::mem::offset_of!(SegmentHeaderLayout, magic)
                        },
                    >(::ondisk::__private::zerocopy::IntoBytes::as_bytes(__run0)),
                );
                if __computed != __stored {
                    return ::core::result::Result::Err(
                        <__E as ::ondisk::Fail>::fail(|| {
                            ::ondisk::Error::new(
                                <Self as ::ondisk::format::Format>::KIND,
                                5u16,
                                __at
                                    .saturating_add(
                                        (0usize
                                            + ::core::mem::offset_of!(SegmentHeaderLayout, header_crc)),
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
        if __LEVEL >= ::ondisk::format::FULL || __LEVEL == ::ondisk::format::RULES {
            if let ::core::result::Result::Err(__fault) = leaves_room_for_a_tail(
                __run0.base_offset.get(),
                __run0,
            ) {
                return ::core::result::Result::Err(
                    <__E as ::ondisk::Fail>::fail(|| {
                        ::ondisk::Error::new(
                            <Self as ::ondisk::format::Format>::KIND,
                            3u16,
                            __at
                                .saturating_add(
                                    (0usize
                                        + ::core::mem::offset_of!(SegmentHeaderLayout, base_offset)),
                                ),
                            __fault,
                        )
                    }),
                );
            }
        }
        ::core::result::Result::Ok(())
    }
    #[inline]
    fn look<'__b>(__run0: &'__b SegmentHeaderLayout) -> SegmentHeaderView<'__b> {
        SegmentHeaderView { __run0 }
    }
    #[inline]
    fn lay<'__b>(
        __value: &<Self as ::ondisk::format::Format>::Value<'__b>,
        __version: ::core::primitive::u32,
    ) -> ::core::result::Result<SegmentHeaderLayout, ::ondisk::EncodeError> {
        let mut __head = SegmentHeaderLayout {
            magic: *b"FLSG",
            version: <::ondisk::__private::zerocopy::byteorder::big_endian::U16>::new(
                __version as ::core::primitive::u16,
            ),
            flags: <::ondisk::__private::zerocopy::byteorder::big_endian::U16>::new(const {
                let __number: ::core::primitive::u16 = 0;
                __number
            }),
            base_offset: <::ondisk::__private::zerocopy::byteorder::big_endian::U64>::new(
                __value.base_offset,
            ),
            created_at_micros: <::ondisk::__private::zerocopy::byteorder::big_endian::U64>::new(
                __value.created_at_micros,
            ),
            header_crc: <::ondisk::__private::zerocopy::byteorder::big_endian::U32>::new(
                0,
            ),
            reserved: <::ondisk::__private::zerocopy::byteorder::big_endian::U32>::new(0),
        };
        let __sum5 = 0;
        let __sum5 = ::ondisk::checksum::crc32_of(
            __sum5,
            ::ondisk::__private::span::<
                { ::core::mem::offset_of!(SegmentHeaderLayout, magic) },
                {
                    ::core::mem::offset_of!(SegmentHeaderLayout, header_crc)
                        - ::core::mem::offset_of!(SegmentHeaderLayout, magic)
                },
            >(::ondisk::__private::zerocopy::IntoBytes::as_bytes(&__head)),
        );
        __head.header_crc = <::ondisk::__private::zerocopy::byteorder::big_endian::U32>::new(
            __sum5,
        );
        if <Self as ::ondisk::format::Format>::open::<
            (),
            { ::ondisk::format::RULES },
        >(
                ::ondisk::__private::zerocopy::IntoBytes::as_bytes(&__head),
                0,
                ::ondisk::format::Cx {
                    version: __version,
                    closed: true,
                    whole: true,
                },
            )
            .is_err()
        {
            return ::core::result::Result::Err(
                ::ondisk::format::explain_rules::<
                    Self,
                >(::ondisk::__private::zerocopy::IntoBytes::as_bytes(&__head), __version),
            );
        }
        ::core::result::Result::Ok(__head)
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
impl SegmentHeader {
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
    ) -> ::core::result::Result<SegmentHeaderView<'_>, ::ondisk::Error> {
        ::ondisk::format::open_whole::<Self, { ::ondisk::format::FULL }>(bytes, 0)
    }
    /// Makes every check on the front of `bytes`, and returns the view and what lies behind it.
    ///
    /// # Errors
    /// The first check that fails, at its position.
    #[inline]
    pub fn view_prefix(
        bytes: &[::core::primitive::u8],
    ) -> ::core::result::Result<
        (SegmentHeaderView<'_>, &[::core::primitive::u8]),
        ::ondisk::Error,
    > {
        ::ondisk::format::open_prefix::<Self, { ::ondisk::format::FULL }>(bytes, 0)
    }
    /// Makes the checks that are needed to step over the front of `bytes`: identity, head, lengths.
    ///
    /// # Errors
    /// The first check that fails, at its position.
    #[inline]
    pub fn walk_prefix(
        bytes: &[::core::primitive::u8],
    ) -> ::core::result::Result<
        (SegmentHeaderView<'_>, &[::core::primitive::u8]),
        ::ondisk::Error,
    > {
        ::ondisk::format::open_prefix::<Self, { ::ondisk::format::WALK }>(bytes, 0)
    }
    /// The instances in `bytes`, one behind another.
    #[inline]
    pub fn stream(bytes: &[::core::primitive::u8]) -> ::ondisk::Stream<'_, Self> {
        ::ondisk::Stream::new(bytes, 0)
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
    < SegmentHeader as ::ondisk::format::Format > ::DEPTH < ::ondisk::walk::MOST_DEPTH,
    "kinds are nested too deep",
);
::ondisk::__alloc! {
    #[automatically_derived] #[allow(clippy::all, clippy::pedantic, clippy::nursery,
    clippy::restriction, trivial_casts, trivial_numeric_casts, unused_comparisons,
    unused_mut, unused_parens, unused_qualifications, unused_variables,
    unreachable_pub,)] impl ::ondisk::encode::Encode for SegmentHeader { fn
    encoded_len_at(& self, __version : ::core::primitive::u32) ->
    ::core::primitive::usize { let __value = self; 0 + ::core::mem::size_of:: <
    SegmentHeaderLayout > () } #[inline] fn encode_at(& self, __version :
    ::core::primitive::u32, __out : & mut ::ondisk::__private::Vec <
    ::core::primitive::u8 >,) -> ::core::result::Result < (), ::ondisk::EncodeError > {
    let __value = self; let __run = < Self as ::ondisk::format::Fixed > ::lay(__value,
    __version) ?; __out
    .extend_from_slice(::ondisk::__private::zerocopy::IntoBytes::as_bytes(& __run));
    ::core::result::Result::Ok(()) } fn rewrite < '__b > (__view : < Self as
    ::ondisk::format::Format > ::View < '__b >, __version : ::core::primitive::u32, __out
    : & mut ::ondisk::__private::Vec < ::core::primitive::u8 >,) ->
    ::core::result::Result < (), ::ondisk::EncodeError > {
    ::ondisk::encode::Encode::encode_at(& __view.to_value(), __version, __out) } }
}
::ondisk::__arbitrary! {
    #[automatically_derived] #[allow(clippy::all, clippy::pedantic, clippy::nursery,
    clippy::restriction, trivial_casts, trivial_numeric_casts, unused_comparisons,
    unused_mut, unused_parens, unused_qualifications, unused_variables,
    unreachable_pub,)] impl < '__b > ::ondisk::arbitrary::ArbitraryAt < '__b > for
    SegmentHeader { fn arbitrary_at(__from : & mut
    ::ondisk::__private::arbitrary::Unstructured < '__b >, __version :
    ::core::primitive::u32,) -> ::ondisk::__private::arbitrary::Result < Self > { let
    __made3 = __from.int_in_range:: < ::core::primitive::u64 > (< ::core::primitive::u64
    > ::MIN..= < ::core::primitive::u64 > ::MAX) ?; let __made4 = __from.int_in_range:: <
    ::core::primitive::u64 > (< ::core::primitive::u64 > ::MIN..= <
    ::core::primitive::u64 > ::MAX) ?; let __value = SegmentHeader { base_offset :
    __made3, created_at_micros : __made4 }; ::core::result::Result::Ok(__value) } }
    #[automatically_derived] #[allow(clippy::all, clippy::pedantic, clippy::nursery,
    clippy::restriction, trivial_casts, trivial_numeric_casts, unused_comparisons,
    unused_mut, unused_parens, unused_qualifications, unused_variables,
    unreachable_pub,)] impl < '__b > ::ondisk::__private::arbitrary::Arbitrary < '__b >
    for SegmentHeader { fn arbitrary(__from : & mut
    ::ondisk::__private::arbitrary::Unstructured < '__b >) ->
    ::ondisk::__private::arbitrary::Result < Self > { < Self as
    ::ondisk::arbitrary::ArbitraryAt < '__b >> ::arbitrary_at(__from, 3u32) } }
    #[automatically_derived] #[allow(clippy::all, clippy::pedantic, clippy::nursery,
    clippy::restriction, trivial_casts, trivial_numeric_casts, unused_comparisons,
    unused_mut, unused_parens, unused_qualifications, unused_variables,
    unreachable_pub,)] impl ::ondisk::arbitrary::Generate for SegmentHeader { fn
    generate(__from : & mut ::ondisk::__private::arbitrary::Unstructured < '_ >,
    __version : ::core::primitive::u32,) -> ::ondisk::__private::arbitrary::Result <
    ::core::result::Result < ::ondisk::__private::Vec < ::core::primitive::u8 >,
    ::ondisk::EncodeError >> { let __value = < SegmentHeader as
    ::ondisk::arbitrary::ArbitraryAt < '_ >> ::arbitrary_at(__from, __version) ?; let mut
    __bytes = ::ondisk::__private::Vec::new();
    ::core::result::Result::Ok(::ondisk::encode::Encode::encode_at(& __value, __version,
    & mut __bytes).map(| () | __bytes),) } }
}
