//! Where the zeros at the end of a file begin (Felix 7.3, rule 4).

use std::io;

use super::Source;

/// Bytes looked at in one go.
const CHUNK: u64 = 64 * 1024;

/// The smallest position from `from` on such that all bytes from it to the end are zero; none when the last byte is not.
///
/// Goes backward from the end, and over holes by doubling strides: a sparse file of any length takes a few dozen seeks,
/// and a file that ends in something else one read.
///
/// ```
/// use std::sync::Arc;
///
/// use ondisk_engine::disk::memory::MemoryFile;
/// use ondisk_engine::felix::segment::{Access, Source, zero_run};
///
/// let file = Arc::new(MemoryFile::of(b"data").with_len(1 << 40));
/// let mut source = Source::new(file, 1 << 40, Access::default())?;
/// assert_eq!(zero_run(&mut source, 0)?, Some(4));
/// source.end_at(4);
/// assert_eq!(zero_run(&mut source, 0)?, None);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// Those of [`Source::at`] and [`Source::next_data`].
pub fn zero_run(source: &mut Source<'_>, from: u64) -> io::Result<Option<u64>> {
    // All bytes from `zeros` on are known to be zero.
    let mut zeros = source.len();
    let mut stride = CHUNK;
    while zeros > from {
        let start = zeros.saturating_sub(stride).max(from);
        if source.next_data(start)?.is_none_or(|data| data >= zeros) {
            zeros = start;
            stride = stride.saturating_mul(2);
        } else if stride > CHUNK {
            stride /= 2;
        } else {
            let wanted = usize::try_from(zeros - start).unwrap_or(usize::MAX);
            let bytes = source.at(start, wanted)?;
            let bytes = bytes.get(..wanted).unwrap_or(bytes);
            match bytes.iter().rposition(|&byte| byte != 0) {
                Some(last) => {
                    zeros = start + last as u64 + 1;
                    break;
                }
                None => zeros = start,
            }
        }
    }
    Ok((zeros < source.len()).then_some(zeros))
}
