/// A record of a segment.
#[derive(Clone, Debug, PartialEq)]
/**

# Bytes

| row | type | |
|---|---|---|
| `word` | `u32` | word. Kind and length in one. |
| `kind` | `RecordKind` | value, in bits. At most one of the three bits is set. |
| `payload_len` | `u32` | length. The tag is not counted. |
| `offset` | `u64` | value. Base of the segment + index of the record. |
| `timestamp_micros` | `u64` | value. Publish time in microseconds. |
| `header_crc` | `u32` | checksum. Makes the length usable. |
| `checksum` | `u32` | checksum. Over all but itself. |
| `tag` | `Option<ProducerTag>` | value. There when the record opens a batch. |
| `payload` | `&[u8]` | value. Opaque. |
*/
pub struct Record<'a> {
    /// At most one of the three bits is set.
    pub kind: RecordKind,
    /// Base of the segment + index of the record.
    pub offset: u64,
    /// Publish time in microseconds.
    pub timestamp_micros: u64,
    /// There when the record opens a batch.
    pub tag: Option<ProducerTag>,
    /// Opaque.
    pub payload: &'a [u8],
}
///The fixed bytes of [`Record`] as they are stored.
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
pub struct RecordLayout {
    ///Kind and length in one.
    pub word: ::ondisk::__private::zerocopy::byteorder::big_endian::U32,
    ///Base of the segment + index of the record.
    pub offset: ::ondisk::__private::zerocopy::byteorder::big_endian::U64,
    ///Publish time in microseconds.
    pub timestamp_micros: ::ondisk::__private::zerocopy::byteorder::big_endian::U64,
    ///Makes the length usable.
    pub header_crc: ::ondisk::__private::zerocopy::byteorder::big_endian::U32,
    ///Over all but itself.
    pub checksum: ::ondisk::__private::zerocopy::byteorder::big_endian::U32,
}
///A validated look at the bytes of a [`Record`].
#[derive(::core::clone::Clone, ::core::marker::Copy)]
pub struct RecordView<'__b> {
    __run0: &'__b RecordLayout,
    __row7: ::core::option::Option<
        <ProducerTag as ::ondisk::format::Format>::View<'__b>,
    >,
    __row8: &'__b [::core::primitive::u8],
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
impl<'__b> RecordView<'__b> {
    ///Kind and length in one.
    #[inline]
    #[must_use]
    pub fn word(&self) -> ::core::primitive::u32 {
        self.__run0.word.get()
    }
    ///At most one of the three bits is set.
    #[inline]
    #[must_use]
    pub fn kind(&self) -> RecordKind {
        <RecordKind as ::ondisk::format::Enumeration>::from_raw_any(
            (((self.__run0.word.get() as ::core::primitive::u32
                as ::core::primitive::u64) >> 29u8) & 7u64),
        )
    }
    ///The tag is not counted.
    #[inline]
    #[must_use]
    pub fn payload_len(&self) -> ::core::primitive::u32 {
        ((((self.__run0.word.get() as ::core::primitive::u32 as ::core::primitive::u64)
            >> 0u8) & 536870911u64) as ::core::primitive::u32)
    }
    ///Base of the segment + index of the record.
    #[inline]
    #[must_use]
    pub fn offset(&self) -> ::core::primitive::u64 {
        self.__run0.offset.get()
    }
    ///Publish time in microseconds.
    #[inline]
    #[must_use]
    pub fn timestamp_micros(&self) -> ::core::primitive::u64 {
        self.__run0.timestamp_micros.get()
    }
    ///Makes the length usable.
    #[inline]
    #[must_use]
    pub fn header_crc(&self) -> ::core::primitive::u32 {
        self.__run0.header_crc.get()
    }
    ///Over all but itself.
    #[inline]
    #[must_use]
    pub fn checksum(&self) -> ::core::primitive::u32 {
        self.__run0.checksum.get()
    }
    ///There when the record opens a batch.
    #[inline]
    #[must_use]
    pub fn tag(
        &self,
    ) -> ::core::option::Option<<ProducerTag as ::ondisk::format::Format>::View<'__b>> {
        self.__row7
    }
    ///Opaque.
    #[inline]
    #[must_use]
    pub fn payload(&self) -> &'__b [::core::primitive::u8] {
        self.__row8
    }
    /// The value that the bytes hold.
    #[must_use]
    pub fn to_value(&self) -> Record<'__b> {
        Record {
            kind: self.kind(),
            offset: self.offset(),
            timestamp_micros: self.timestamp_micros(),
            tag: self
                .tag()
                .map(|__shown| <ProducerTag as ::ondisk::format::Format>::value(
                    __shown,
                )),
            payload: self.payload(),
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
impl<'__b> ::core::fmt::Debug for RecordView<'__b> {
    fn fmt(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        __f.debug_struct("RecordView")
            .field("kind", &self.kind())
            .field("offset", &self.offset())
            .field("timestamp_micros", &self.timestamp_micros())
            .field("tag", &self.tag())
            .field("payload", &self.payload())
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
impl<'a> ::ondisk::format::Format for Record<'a> {
    type View<'__b> = RecordView<'__b>;
    type Value<'__b> = Record<'__b>;
    type Layout = [::core::primitive::u8; 0];
    type Versioned = SegmentHeader;
    const KIND: &'static ::ondisk::Kind = &::ondisk::Kind {
        name: "Record",
        module: ::core::module_path!(),
        doc: "A record of a segment.",
        shape: ::ondisk::describe::Shape::Rows(
            &[
                ::ondisk::describe::Row {
                    name: "word",
                    doc: "Kind and length in one.",
                    ty: ::ondisk::describe::Type::Uint(4u8),
                    role: ::ondisk::describe::Role::Word,
                    in_value: false,
                    offset: ::core::option::Option::Some(
                        ::core::mem::offset_of!(RecordLayout, word),
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
                    name: "kind",
                    doc: "At most one of the three bits is set.",
                    ty: ::ondisk::describe::Type::Of(|| {
                        <RecordKind as ::ondisk::format::Enumeration>::KIND
                    }),
                    role: ::ondisk::describe::Role::Value,
                    in_value: true,
                    offset: ::core::option::Option::Some(
                        ::core::mem::offset_of!(RecordLayout, word),
                    ),
                    size: ::core::option::Option::Some(0),
                    bits: ::core::option::Option::Some(::ondisk::describe::Bits {
                        word: 0u16,
                        low: 29u8,
                        high: 31u8,
                    }),
                    presence: ::ondisk::describe::Presence::Always,
                    since: 0u32,
                    until: 4294967295u32,
                    min: ::core::option::Option::None,
                    max: ::core::option::Option::None,
                    endian: ::ondisk::describe::Endian::Big,
                    rules: &[],
                },
                ::ondisk::describe::Row {
                    name: "payload_len",
                    doc: "The tag is not counted.",
                    ty: ::ondisk::describe::Type::Uint(4u8),
                    role: ::ondisk::describe::Role::Len(::ondisk::describe::Rows {
                        from: 8u16,
                        to: 9u16,
                    }),
                    in_value: false,
                    offset: ::core::option::Option::Some(
                        ::core::mem::offset_of!(RecordLayout, word),
                    ),
                    size: ::core::option::Option::Some(0),
                    bits: ::core::option::Option::Some(::ondisk::describe::Bits {
                        word: 0u16,
                        low: 0u8,
                        high: 28u8,
                    }),
                    presence: ::ondisk::describe::Presence::Always,
                    since: 0u32,
                    until: 4294967295u32,
                    min: ::core::option::Option::None,
                    max: ::core::option::Option::Some(
                        const {
                            let __number: ::core::primitive::u32 = MAX_PAYLOAD_BYTES;
                            __number
                        } as ::core::primitive::i128,
                    ),
                    endian: ::ondisk::describe::Endian::Big,
                    rules: &[],
                },
                ::ondisk::describe::Row {
                    name: "offset",
                    doc: "Base of the segment + index of the record.",
                    ty: ::ondisk::describe::Type::Uint(8u8),
                    role: ::ondisk::describe::Role::Value,
                    in_value: true,
                    offset: ::core::option::Option::Some(
                        ::core::mem::offset_of!(RecordLayout, offset),
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
                    name: "timestamp_micros",
                    doc: "Publish time in microseconds.",
                    ty: ::ondisk::describe::Type::Uint(8u8),
                    role: ::ondisk::describe::Role::Value,
                    in_value: true,
                    offset: ::core::option::Option::Some(
                        ::core::mem::offset_of!(RecordLayout, timestamp_micros),
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
                    doc: "Makes the length usable.",
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
                        ::core::mem::offset_of!(RecordLayout, header_crc),
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
                    name: "checksum",
                    doc: "Over all but itself.",
                    ty: ::ondisk::describe::Type::Uint(4u8),
                    role: ::ondisk::describe::Role::Checksum(
                        ::ondisk::checksum::Algorithm::Crc32,
                        &[
                            ::ondisk::describe::Rows {
                                from: 0u16,
                                to: 6u16,
                            },
                            ::ondisk::describe::Rows {
                                from: 7u16,
                                to: 9u16,
                            },
                        ],
                    ),
                    in_value: false,
                    offset: ::core::option::Option::Some(
                        ::core::mem::offset_of!(RecordLayout, checksum),
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
                    name: "tag",
                    doc: "There when the record opens a batch.",
                    ty: ::ondisk::describe::Type::Of(|| {
                        <ProducerTag as ::ondisk::format::Format>::KIND
                    }),
                    role: ::ondisk::describe::Role::Value,
                    in_value: true,
                    offset: ::core::option::Option::None,
                    size: ::core::option::Option::None,
                    bits: ::core::option::Option::None,
                    presence: ::ondisk::describe::Presence::When {
                        text: "kind == RecordKind :: Opens",
                        holds: |
                            __raw: &[::core::primitive::u64],
                            __version: ::core::primitive::u32|
                        {
                            let _ = (__raw, __version);
                            let kind = <RecordKind as ::ondisk::format::Enumeration>::from_raw_any(
                                __raw.get(1usize).copied().unwrap_or(0),
                            );
                            kind == RecordKind::Opens
                        },
                    },
                    since: 0u32,
                    until: 4294967295u32,
                    min: ::core::option::Option::None,
                    max: ::core::option::Option::None,
                    endian: <ProducerTag as ::ondisk::format::Format>::KIND.endian,
                    rules: &[],
                },
                ::ondisk::describe::Row {
                    name: "payload",
                    doc: "Opaque.",
                    ty: ::ondisk::describe::Type::Bytes,
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
            ],
        ),
        file: ::core::option::Option::None,
        head_of: ::core::option::Option::None,
        whole: false,
        class: ::core::option::Option::None,
        endian: ::ondisk::describe::Endian::Big,
        versions: ::core::option::Option::None,
        version_of: ::core::option::Option::Some(|| {
            <SegmentHeader as ::ondisk::format::Format>::KIND
        }),
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
                row: 5u16,
                check: ::ondisk::describe::Check::Checksum(
                    ::ondisk::checksum::Algorithm::Crc32,
                ),
            },
            ::ondisk::describe::Step {
                row: 1u16,
                check: ::ondisk::describe::Check::Known,
            },
            ::ondisk::describe::Step {
                row: 2u16,
                check: ::ondisk::describe::Check::Limit,
            },
            ::ondisk::describe::Step {
                row: 7u16,
                check: ::ondisk::describe::Check::Fits,
            },
            ::ondisk::describe::Step {
                row: 8u16,
                check: ::ondisk::describe::Check::Fits,
            },
            ::ondisk::describe::Step {
                row: 6u16,
                check: ::ondisk::describe::Check::Checksum(
                    ::ondisk::checksum::Algorithm::Crc32,
                ),
            },
            ::ondisk::describe::Step {
                row: 7u16,
                check: ::ondisk::describe::Check::Known,
            },
            ::ondisk::describe::Step {
                row: 3u16,
                check: ::ondisk::describe::Check::Rule("leaves room for a tail"),
            },
        ],
    };
    const MIN: ::core::primitive::usize = 0 + ::core::mem::size_of::<RecordLayout>()
        + 0usize + 0usize;
    const SIZE: ::core::option::Option<::core::primitive::usize> = ::core::option::Option::None;
    const DEPTH: ::core::primitive::usize = {
        let mut __depth = 0;
        if <ProducerTag as ::ondisk::format::Format>::DEPTH >= __depth {
            __depth = 1 + <ProducerTag as ::ondisk::format::Format>::DEPTH;
        }
        __depth
    };
    const TAKES_ALL: ::core::primitive::bool = false;
    #[inline]
    fn open<'__b, __E: ::ondisk::Fail, const __LEVEL: ::core::primitive::u8>(
        __input: &'__b [::core::primitive::u8],
        __at: ::core::primitive::usize,
        __cx: ::ondisk::format::Cx,
    ) -> ::core::result::Result<(RecordView<'__b>, ::core::primitive::usize), __E> {
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
        let ::core::result::Result::Ok((__run0, _)) = <RecordLayout as ::ondisk::__private::zerocopy::FromBytes>::ref_from_prefix(
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
        let __start1 = ::core::mem::size_of::<RecordLayout>();
        let __end = __input.len();
        if __LEVEL >= ::ondisk::format::WALK {
            {
                let __stored = __run0.header_crc.get();
                let __computed = 0;
                let __computed = ::ondisk::checksum::crc32_of(
                    __computed,
                    ::ondisk::__private::span::<
                        { ::core::mem::offset_of!(RecordLayout, word) },
                        {
                            ::core::mem::offset_of!(RecordLayout, header_crc)
                                - ::core::mem::offset_of!(RecordLayout, word)
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
                                        (0usize + ::core::mem::offset_of!(RecordLayout, header_crc)),
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
            if let ::core::result::Result::Err(__fault) = <RecordKind as ::ondisk::format::Enumeration>::from_raw(
                (((__run0.word.get() as ::core::primitive::u32 as ::core::primitive::u64)
                    >> 29u8) & 7u64),
                __cx.version,
            ) {
                return ::core::result::Result::Err(
                    <__E as ::ondisk::Fail>::fail(|| {
                        ::ondisk::Error::new(
                            <Self as ::ondisk::format::Format>::KIND,
                            1u16,
                            __at
                                .saturating_add(
                                    (0usize + ::core::mem::offset_of!(RecordLayout, word)),
                                ),
                            __fault,
                        )
                    }),
                );
            }
        }
        if __LEVEL >= ::ondisk::format::WALK {
            if ((((__run0.word.get() as ::core::primitive::u32 as ::core::primitive::u64)
                >> 0u8) & 536870911u64) as ::core::primitive::u32)
                > const {
                    let __number: ::core::primitive::u32 = MAX_PAYLOAD_BYTES;
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
                                    (0usize + ::core::mem::offset_of!(RecordLayout, word)),
                                ),
                            ::ondisk::Fault::TooLarge {
                                found: ((((__run0.word.get() as ::core::primitive::u32
                                    as ::core::primitive::u64) >> 0u8) & 536870911u64)
                                    as ::core::primitive::u32) as ::core::primitive::u64,
                                limit: const {
                                    let __number: ::core::primitive::u32 = MAX_PAYLOAD_BYTES;
                                    __number
                                } as ::core::primitive::u64,
                            },
                        )
                    }),
                );
            }
        }
        let (__row7, __start2) = if {
            let kind = <RecordKind as ::ondisk::format::Enumeration>::from_raw_any(
                (((__run0.word.get() as ::core::primitive::u32 as ::core::primitive::u64)
                    >> 29u8) & 7u64),
            );
            kind == RecordKind::Opens
        } {
            {
                let (__value, __next) = {
                    let __rest = __input.get(__start1..__end).unwrap_or(&[]);
                    if let ::core::option::Option::Some(__size) = <ProducerTag as ::ondisk::format::Format>::SIZE
                        && __rest.len() < __size
                    {
                        return ::core::result::Result::Err(
                            ::ondisk::__private::short::<
                                __E,
                            >(
                                <Self as ::ondisk::__private::Format>::KIND,
                                7u16,
                                __at.saturating_add(__start1),
                                <__E as ::ondisk::__private::Fail>::number(|| {
                                    (__start1 as ::core::primitive::u64)
                                        .saturating_add(
                                            (<ProducerTag as ::ondisk::format::Format>::MIN
                                                as ::core::primitive::u64),
                                        )
                                        .saturating_add(
                                            0u64
                                                .saturating_add(
                                                    (0u64
                                                        + (((((__run0.word.get() as ::core::primitive::u32
                                                            as ::core::primitive::u64) >> 0u8) & 536870911u64)
                                                            as ::core::primitive::u32) as ::core::primitive::u64)),
                                                ),
                                        )
                                }),
                                __input.len(),
                                __cx.closed,
                            ),
                        );
                    }
                    let (__value, __used) = if __LEVEL >= ::ondisk::format::FULL {
                        <ProducerTag as ::ondisk::format::Format>::open::<
                            __E,
                            { ::ondisk::format::WALK },
                        >(
                                __rest,
                                __at.saturating_add(__start1),
                                __cx.nested(__cx.closed),
                            )
                            .map_err(|__error: __E| {
                                <__E as ::ondisk::Fail>::in_row(
                                    __error,
                                    <Self as ::ondisk::format::Format>::KIND,
                                    7u16,
                                )
                            })?
                    } else {
                        <ProducerTag as ::ondisk::format::Format>::open::<
                            __E,
                            __LEVEL,
                        >(
                                __rest,
                                __at.saturating_add(__start1),
                                __cx.nested(__cx.closed),
                            )
                            .map_err(|__error: __E| {
                                <__E as ::ondisk::Fail>::in_row(
                                    __error,
                                    <Self as ::ondisk::format::Format>::KIND,
                                    7u16,
                                )
                            })?
                    };
                    (__value, __start1 + __used)
                };
                (::core::option::Option::Some(__value), __next)
            }
        } else {
            (::core::option::Option::None, __start1)
        };
        let (__row8, __start3) = {
            let ::core::option::Option::Some(__value) = ::ondisk::__private::take(
                __input,
                __start2,
                (((((__run0.word.get() as ::core::primitive::u32
                    as ::core::primitive::u64) >> 0u8) & 536870911u64)
                    as ::core::primitive::u32) as ::core::primitive::u64),
                __end,
            ) else {
                return ::core::result::Result::Err(
                    ::ondisk::__private::short::<
                        __E,
                    >(
                        <Self as ::ondisk::__private::Format>::KIND,
                        8u16,
                        __at.saturating_add(__start2),
                        <__E as ::ondisk::__private::Fail>::number(|| {
                            (__start2 as ::core::primitive::u64)
                                .saturating_add(
                                    (((((__run0.word.get() as ::core::primitive::u32
                                        as ::core::primitive::u64) >> 0u8) & 536870911u64)
                                        as ::core::primitive::u32) as ::core::primitive::u64),
                                )
                                .saturating_add(0u64)
                        }),
                        __input.len(),
                        __cx.closed,
                    ),
                )
            };
            (__value, __start2 + __value.len())
        };
        if __LEVEL >= ::ondisk::format::FULL {
            {
                let __stored = __run0.checksum.get();
                let __computed = __run0.header_crc.get();
                let __computed = ::ondisk::checksum::crc32_of(
                    __computed,
                    ::ondisk::__private::span::<
                        { ::core::mem::offset_of!(RecordLayout, header_crc) },
                        {
                            ::core::mem::offset_of!(RecordLayout, checksum)
                                - ::core::mem::offset_of!(RecordLayout, header_crc)
                        },
                    >(::ondisk::__private::zerocopy::IntoBytes::as_bytes(__run0)),
                );
                let __computed = ::ondisk::checksum::crc32(
                    __computed,
                    __input.get(__start1..__start3).unwrap_or(&[]),
                );
                if __computed != __stored {
                    return ::core::result::Result::Err(
                        <__E as ::ondisk::Fail>::fail(|| {
                            ::ondisk::Error::new(
                                <Self as ::ondisk::format::Format>::KIND,
                                6u16,
                                __at
                                    .saturating_add(
                                        (0usize + ::core::mem::offset_of!(RecordLayout, checksum)),
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
        if __LEVEL >= ::ondisk::format::FULL {
            if let ::core::option::Option::Some(__found) = __row7 {
                let _ = __found;
                if const {
                    <ProducerTag as ::ondisk::format::Format>::KIND.is_checked()
                } {
                    <ProducerTag as ::ondisk::format::Format>::open::<
                        __E,
                        { ::ondisk::format::FULL },
                    >(
                            __input.get(__start1..__start2).unwrap_or(&[]),
                            __at.saturating_add(__start1),
                            __cx.nested(true),
                        )
                        .map_err(|__error: __E| {
                            <__E as ::ondisk::Fail>::in_row(
                                __error,
                                <Self as ::ondisk::format::Format>::KIND,
                                7u16,
                            )
                        })?;
                }
            }
        }
        if __LEVEL >= ::ondisk::format::FULL || __LEVEL == ::ondisk::format::RULES {
            if let ::core::result::Result::Err(__fault) = leaves_room_for_a_tail(
                __run0.offset.get(),
                __run0,
            ) {
                return ::core::result::Result::Err(
                    <__E as ::ondisk::Fail>::fail(|| {
                        ::ondisk::Error::new(
                            <Self as ::ondisk::format::Format>::KIND,
                            3u16,
                            __at
                                .saturating_add(
                                    (0usize + ::core::mem::offset_of!(RecordLayout, offset)),
                                ),
                            __fault,
                        )
                    }),
                );
            }
        }
        let __view = RecordView {
            __run0,
            __row7,
            __row8,
        };
        ::core::result::Result::Ok((__view, __start3))
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
impl<'a> Record<'a> {
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
        version: ::core::primitive::u32,
    ) -> ::core::result::Result<RecordView<'_>, ::ondisk::Error> {
        ::ondisk::format::open_whole::<Self, { ::ondisk::format::FULL }>(bytes, version)
    }
    /// Makes every check on the front of `bytes`, and returns the view and what lies behind it.
    ///
    /// # Errors
    /// The first check that fails, at its position.
    #[inline]
    pub fn view_prefix(
        bytes: &[::core::primitive::u8],
        version: ::core::primitive::u32,
    ) -> ::core::result::Result<
        (RecordView<'_>, &[::core::primitive::u8]),
        ::ondisk::Error,
    > {
        ::ondisk::format::open_prefix::<Self, { ::ondisk::format::FULL }>(bytes, version)
    }
    /// Makes the checks that are needed to step over the front of `bytes`: identity, head, lengths.
    ///
    /// # Errors
    /// The first check that fails, at its position.
    #[inline]
    pub fn walk_prefix(
        bytes: &[::core::primitive::u8],
        version: ::core::primitive::u32,
    ) -> ::core::result::Result<
        (RecordView<'_>, &[::core::primitive::u8]),
        ::ondisk::Error,
    > {
        ::ondisk::format::open_prefix::<Self, { ::ondisk::format::WALK }>(bytes, version)
    }
    /// The instances in `bytes`, one behind another.
    #[inline]
    pub fn stream(
        bytes: &[::core::primitive::u8],
        version: ::core::primitive::u32,
    ) -> ::ondisk::Stream<'_, Self> {
        ::ondisk::Stream::new(bytes, version)
    }
    ::ondisk::__alloc! {
        #[doc = r" Appends the bytes of the value. On an error `out` is as it was."]
        #[doc = r""] #[doc = r" # Errors"] #[doc =
        r" A value that would not read back as what it is."] #[inline] pub fn encode(&
        self, version : ::ondisk::WriteVersion < SegmentHeader >, out : & mut
        ::ondisk::__private::Vec < ::core::primitive::u8 >,) -> ::core::result::Result <
        (), ::ondisk::EncodeError > { ::ondisk::encode::Encode::encode_at(self, version
        .get(), out) } #[doc =
        r" Exactly the bytes that [`encode`](Self::encode) appends."] #[must_use] pub fn
        encoded_len(& self, version : ::ondisk::WriteVersion < SegmentHeader >,) ->
        ::core::primitive::usize { ::ondisk::encode::Encode::encoded_len_at(self, version
        .get()) }
    }
}
const _: () = ::core::assert!(
    < Record < 'static > as ::ondisk::format::Format > ::DEPTH <
    ::ondisk::walk::MOST_DEPTH, "kinds are nested too deep",
);
const _: () = ::core::assert!(
    < RecordKind as ::ondisk::format::Enumeration > ::BITS == 3u32,
    "this enum is not one of 3 bits"
);
const _: () = {
    let __max: ::core::primitive::u32 = MAX_PAYLOAD_BYTES;
    ::core::assert!(
        __max as ::core::primitive::u64 <= 536870911u64,
        "`max` is more than the bits can hold"
    );
};
const _: () = ::core::assert!(
    ::ondisk::format::takes_version_of:: < ProducerTag, Record < 'static > > (),
    "this kind takes its version from one that does not govern here",
);
const _: () = ::core::assert!(
    ! ::ondisk::format::has_several_versions:: < ProducerTag > (),
    "this kind has several versions of its own, and no writer of another kind can say which",
);
const _: () = ::core::assert!(
    ! < ProducerTag as ::ondisk::format::Format > ::TAKES_ALL,
    "this kind takes all there is, so rows behind it are not found"
);
::ondisk::__alloc! {
    #[automatically_derived] #[allow(clippy::all, clippy::pedantic, clippy::nursery,
    clippy::restriction, trivial_casts, trivial_numeric_casts, unused_comparisons,
    unused_mut, unused_parens, unused_qualifications, unused_variables,
    unreachable_pub,)] impl < 'a > ::ondisk::encode::Encode for Record < 'a > { fn
    encoded_len_at(& self, __version : ::core::primitive::u32) ->
    ::core::primitive::usize { let __value = self; 0 + ::core::mem::size_of:: <
    RecordLayout > () + match & __value.tag { ::core::option::Option::Some(__present) =>
    0usize + < ProducerTag as ::ondisk::encode::Encode > ::encoded_len_at(__present,
    ::ondisk::format::version_inside:: < ProducerTag > (__version)),
    ::core::option::Option::None => if true { 0usize } else { 0usize }, } + __value
    .payload.len() } #[inline] fn encode_at(& self, __version : ::core::primitive::u32,
    __out : & mut ::ondisk::__private::Vec < ::core::primitive::u8 >,) ->
    ::core::result::Result < (), ::ondisk::EncodeError > { let __value = self; let __base
    = __out.len(); let __written = (|| -> ::core::result::Result < (),
    ::ondisk::EncodeError > { let __start0 = 0usize; let mut __head = RecordLayout { word
    : < ::ondisk::__private::zerocopy::byteorder::big_endian::U32 > ::new(((0u64 | (match
    < RecordKind as ::ondisk::format::Enumeration > ::to_raw(__value.kind, __version) {
    ::core::result::Result::Ok(__raw) => __raw, ::core::result::Result::Err(__fault) => {
    return ::core::result::Result::Err(::ondisk::EncodeError::new(< Self as
    ::ondisk::format::Format > ::KIND, 1u16, __fault,)) } } << 29u8) | (({ let __total =
    (0usize + __value.payload.len()); if (__total as ::core::primitive::i128) > const {
    let __number : ::core::primitive::u32 = MAX_PAYLOAD_BYTES; __number } as
    ::core::primitive::i128 { return
    ::core::result::Result::Err(::ondisk::EncodeError::new(< Self as
    ::ondisk::format::Format > ::KIND, 2u16, ::ondisk::Fault::TooLarge { found : __total
    as ::core::primitive::u64, limit : const { let __number : ::core::primitive::u32 =
    MAX_PAYLOAD_BYTES; __number } as ::core::primitive::u64, },)); } __total as
    ::core::primitive::u32 } as ::core::primitive::u64) << 0u8)) as
    ::core::primitive::u32 as ::core::primitive::u32)), offset : <
    ::ondisk::__private::zerocopy::byteorder::big_endian::U64 > ::new(__value.offset),
    timestamp_micros : < ::ondisk::__private::zerocopy::byteorder::big_endian::U64 >
    ::new(__value.timestamp_micros), header_crc : <
    ::ondisk::__private::zerocopy::byteorder::big_endian::U32 > ::new(0), checksum : <
    ::ondisk::__private::zerocopy::byteorder::big_endian::U32 > ::new(0) }; let __sum5 =
    0; let __sum5 = ::ondisk::checksum::crc32_of(__sum5, ::ondisk::__private::span:: < {
    ::core::mem::offset_of!(RecordLayout, word) }, {
    ::core::mem::offset_of!(RecordLayout, header_crc) -
    ::core::mem::offset_of!(RecordLayout, word) } >
    (::ondisk::__private::zerocopy::IntoBytes::as_bytes(& __head))); __head.header_crc =
    < ::ondisk::__private::zerocopy::byteorder::big_endian::U32 > ::new(__sum5); __out
    .reserve(::ondisk::encode::Encode::encoded_len_at(__value, __version)); __out
    .extend_from_slice(::ondisk::__private::zerocopy::IntoBytes::as_bytes(& __head)); let
    __start1 = ::core::mem::size_of:: < RecordLayout > (); match & __value.tag {
    ::core::option::Option::Some(__present) => { if ! (true && { let kind = __value.kind;
    kind == RecordKind::Opens }) { return
    ::core::result::Result::Err(::ondisk::EncodeError::new(< Self as
    ::ondisk::format::Format > ::KIND, 7u16, ::ondisk::Fault::Presence { expected : false
    },)); } < ProducerTag as ::ondisk::encode::Encode > ::encode_at(__present,
    ::ondisk::format::version_inside:: < ProducerTag > (__version), __out).map_err(|
    __error | { ::ondisk::EncodeError::in_row(__error, < Self as ::ondisk::format::Format
    > ::KIND, 7u16) }) ?; } ::core::option::Option::None => { if true && { let kind =
    __value.kind; kind == RecordKind::Opens } { return
    ::core::result::Result::Err(::ondisk::EncodeError::new(< Self as
    ::ondisk::format::Format > ::KIND, 7u16, ::ondisk::Fault::Presence { expected : true
    },)); } } } let __start2 = __out.len() - __base; __out.extend_from_slice(& __value
    .payload[..]); let __start3 = __out.len() - __base; let __sum6 = __sum5; let __sum6 =
    ::ondisk::checksum::crc32_of(__sum6, ::ondisk::__private::span:: < {
    ::core::mem::offset_of!(RecordLayout, header_crc) }, {
    ::core::mem::offset_of!(RecordLayout, checksum) -
    ::core::mem::offset_of!(RecordLayout, header_crc) } >
    (::ondisk::__private::zerocopy::IntoBytes::as_bytes(& __head))); let __sum6 =
    ::ondisk::checksum::crc32(__sum6, __out.get(__base + __start1..__base + __start3)
    .unwrap_or(& [])); if let ::core::option::Option::Some(__slot) = __out.get_mut(__base
    + (__start0 + ::core::mem::offset_of!(RecordLayout, checksum))..__base + (__start0 +
    ::core::mem::offset_of!(RecordLayout, checksum)) + 4usize) { __slot.copy_from_slice(&
    __sum6.to_be_bytes()); } __head.checksum = <
    ::ondisk::__private::zerocopy::byteorder::big_endian::U32 > ::new(__sum6); if < Self
    as ::ondisk::format::Format > ::open:: < (), { ::ondisk::format::RULES } > (__out
    .get(__base..).unwrap_or(& []), 0, ::ondisk::format::Cx { version : __version, closed
    : true, whole : true },).is_err() { return
    ::core::result::Result::Err(::ondisk::format::explain_rules:: < Self > (__out
    .get(__base..).unwrap_or(& []), __version)); } ::core::result::Result::Ok(()) }) ();
    if ::core::result::Result::is_err(& __written) { __out.truncate(__base); } __written
    } fn rewrite < '__b > (__view : < Self as ::ondisk::format::Format > ::View < '__b >,
    __version : ::core::primitive::u32, __out : & mut ::ondisk::__private::Vec <
    ::core::primitive::u8 >,) -> ::core::result::Result < (), ::ondisk::EncodeError > {
    ::ondisk::encode::Encode::encode_at(& __view.to_value(), __version, __out) } }
}
::ondisk::__arbitrary! {
    #[automatically_derived] #[allow(clippy::all, clippy::pedantic, clippy::nursery,
    clippy::restriction, trivial_casts, trivial_numeric_casts, unused_comparisons,
    unused_mut, unused_parens, unused_qualifications, unused_variables,
    unreachable_pub,)] impl < 'a > ::ondisk::arbitrary::ArbitraryAt < 'a > for Record <
    'a > { fn arbitrary_at(__from : & mut ::ondisk::__private::arbitrary::Unstructured <
    'a >, __version : ::core::primitive::u32,) -> ::ondisk::__private::arbitrary::Result
    < Self > { let __made1 = < RecordKind as ::ondisk::arbitrary::ArbitraryAt < '_ >>
    ::arbitrary_at(__from, __version) ?; let __made3 = __from.int_in_range:: <
    ::core::primitive::u64 > (< ::core::primitive::u64 > ::MIN..= <
    ::core::primitive::u64 > ::MAX) ?; let __made4 = __from.int_in_range:: <
    ::core::primitive::u64 > (< ::core::primitive::u64 > ::MIN..= <
    ::core::primitive::u64 > ::MAX) ?; let __made7 = if true && { let kind = __made1;
    kind == RecordKind::Opens } { ::core::option::Option::Some(< ProducerTag as
    ::ondisk::arbitrary::ArbitraryAt < '_ >> ::arbitrary_at(__from,
    ::ondisk::format::version_inside:: < ProducerTag > (__version)) ?) } else {
    ::core::option::Option::None }; let __made8 =
    ::ondisk::__private::generate::bytes(__from, 0..= const { let __number :
    ::core::primitive::u32 = MAX_PAYLOAD_BYTES; __number } as ::core::primitive::u64) ?;
    let __value = Record { kind : __made1, offset : __made3, timestamp_micros : __made4,
    tag : __made7, payload : __made8 }; ::core::result::Result::Ok(__value) } }
    #[automatically_derived] #[allow(clippy::all, clippy::pedantic, clippy::nursery,
    clippy::restriction, trivial_casts, trivial_numeric_casts, unused_comparisons,
    unused_mut, unused_parens, unused_qualifications, unused_variables,
    unreachable_pub,)] impl < 'a > ::ondisk::__private::arbitrary::Arbitrary < 'a > for
    Record < 'a > { fn arbitrary(__from : & mut
    ::ondisk::__private::arbitrary::Unstructured < 'a >) ->
    ::ondisk::__private::arbitrary::Result < Self > { < Self as
    ::ondisk::arbitrary::ArbitraryAt < 'a >> ::arbitrary_at(__from, match & <
    SegmentHeader as ::ondisk::format::Format > ::KIND.versions {
    ::core::option::Option::Some(__versions) => __versions.writes,
    ::core::option::Option::None => 0, }) } } #[automatically_derived]
    #[allow(clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction,
    trivial_casts, trivial_numeric_casts, unused_comparisons, unused_mut, unused_parens,
    unused_qualifications, unused_variables, unreachable_pub,)] impl < 'a >
    ::ondisk::arbitrary::Generate for Record < 'a > { fn generate(__from : & mut
    ::ondisk::__private::arbitrary::Unstructured < '_ >, __version :
    ::core::primitive::u32,) -> ::ondisk::__private::arbitrary::Result <
    ::core::result::Result < ::ondisk::__private::Vec < ::core::primitive::u8 >,
    ::ondisk::EncodeError >> { let __value = < Record < '_ > as
    ::ondisk::arbitrary::ArbitraryAt < '_ >> ::arbitrary_at(__from, __version) ?; let mut
    __bytes = ::ondisk::__private::Vec::new();
    ::core::result::Result::Ok(::ondisk::encode::Encode::encode_at(& __value, __version,
    & mut __bytes).map(| () | __bytes),) } }
}
