//! Making a script that fails as short as it can be.

use crate::shard::{Op, Script};

/// The shortest script that can be had by leaving steps out and making numbers smaller, and that still `fails`.
pub fn shrink(script: &Script, fails: impl Fn(&Script) -> bool) -> Script {
    let mut best = script.clone();
    loop {
        let before = best.ops.clone();
        leave_out(&mut best, &fails);
        make_smaller(&mut best, &fails);
        if best.ops == before {
            return best;
        }
    }
}

/// Leaves out runs of steps, long ones first.
fn leave_out(best: &mut Script, fails: &impl Fn(&Script) -> bool) {
    let mut len = best.ops.len().div_ceil(2);
    while len > 0 {
        let mut at = 0;
        while at < best.ops.len() {
            let mut shorter = best.clone();
            let end = (at + len).min(shorter.ops.len());
            shorter.ops.drain(at..end);
            if fails(&shorter) {
                *best = shorter;
            } else {
                at += len;
            }
        }
        len /= 2;
    }
}

fn make_smaller(best: &mut Script, fails: &impl Fn(&Script) -> bool) {
    for at in 0..best.ops.len() {
        for op in smaller(&best.ops[at]) {
            let mut candidate = best.clone();
            candidate.ops[at] = op;
            if fails(&candidate) {
                *best = candidate;
                break;
            }
        }
    }
}

/// Smaller steps, the smallest first.
fn smaller(op: &Op) -> Vec<Op> {
    let fewer = |sizes: &[u16], make: fn(Vec<u16>) -> Op| {
        let mut all = Vec::new();
        if sizes.len() > 1 {
            all.push(make(vec![sizes[0]]));
            all.push(make(sizes[1..].to_vec()));
        }
        let halved: Vec<u16> = sizes.iter().map(|size| size / 2).collect();
        if halved != sizes {
            all.push(make(vec![1; sizes.len()]));
            all.push(make(halved));
        }
        all.retain(|smaller| smaller != op);
        all
    };
    match op {
        Op::Append(sizes) => fewer(sizes, Op::Append),
        Op::Enqueue(sizes) => fewer(sizes, Op::Enqueue),
        Op::Cut(seed) if *seed > 1 => vec![Op::Cut(0), Op::Cut(1)],
        Op::Reset(base) if *base > 1 => vec![Op::Reset(0), Op::Reset(1)],
        Op::Truncate(back) if *back > 1 => vec![Op::Truncate(1), Op::Truncate(back / 2)],
        _ => Vec::new(),
    }
}
