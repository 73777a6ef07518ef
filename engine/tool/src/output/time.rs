//! Timestamps for a person.

/// Microseconds since the Unix epoch as a date and a time in UTC; the number itself where no calendar reaches.
pub(crate) fn instant(micros: u64) -> String {
    const PER_DAY: u64 = 86_400_000_000;
    // The last microsecond of the year 9999.
    const LAST: u64 = 253_402_300_799_999_999;
    if micros > LAST {
        return format!("{micros} µs");
    }
    let (year, month, day) = date(micros / PER_DAY);
    let of_day = micros % PER_DAY;
    let (second, fraction) = (of_day / 1_000_000, of_day % 1_000_000);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}.{fraction:06}Z")
}

/// The day of the Gregorian calendar, so many days after 1970-01-01. Counted in years that begin in March, so that the
/// leap day comes last.
fn date(days: u64) -> (u64, u64, u64) {
    const PER_ERA: u64 = 146_097;
    let days = days + 719_468;
    let (era, day) = (days / PER_ERA, days % PER_ERA);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (of_month, month_number) = (
        day - (153 * month + 2) / 5 + 1,
        if month < 10 { month + 3 } else { month - 9 },
    );
    (
        era * 400 + year + u64::from(month_number <= 2),
        month_number,
        of_month,
    )
}

#[cfg(test)]
mod tests {
    use super::instant;

    #[test]
    fn instants() {
        for (micros, shown) in [
            (0, "1970-01-01 00:00:00.000000Z"),
            (951_782_400_000_000, "2000-02-29 00:00:00.000000Z"),
            (1_760_000_000_000_001, "2025-10-09 08:53:20.000001Z"),
            (4_107_542_399_999_999, "2100-02-28 23:59:59.999999Z"),
            (4_107_542_400_000_000, "2100-03-01 00:00:00.000000Z"),
            (253_402_300_799_999_999, "9999-12-31 23:59:59.999999Z"),
            (u64::MAX, "18446744073709551615 µs"),
        ] {
            assert_eq!(instant(micros), shown);
        }
    }
}
