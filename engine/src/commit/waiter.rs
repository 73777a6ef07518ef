//! One that waits, and how it is told.

use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, PoisonError};
use std::task::Waker;

use super::error::CommitError;
use crate::sync::thread::{self, Thread};
use crate::sync::{Mutex, MutexGuard, Patience};

/// What a waiter is told, once.
#[derive(Clone, Copy)]
pub enum News {
    /// The flush lock is its own now.
    Lock,
    /// It need not wait any more.
    Done(Result<(), CommitError>),
}

/// A thread that is parked, or a future that was polled.
pub struct Waiter {
    /// None for a future.
    thread: Option<Thread>,
    told: Mutex<Told>,
}

#[derive(Default)]
struct Told {
    news: Option<News>,
    waker: Option<Waker>,
}

impl Waiter {
    /// This thread.
    pub fn thread() -> Arc<Self> {
        Arc::new(Self {
            thread: Some(thread::current()),
            told: Mutex::default(),
        })
    }

    /// A future that is woken by `waker`.
    pub fn future(waker: Waker) -> Arc<Self> {
        let told = Told {
            news: None,
            waker: Some(waker),
        };
        Arc::new(Self {
            thread: None,
            told: Mutex::new(told),
        })
    }

    fn told(&self) -> MutexGuard<'_, Told> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Leaves the news, and notes who is to be woken for it.
    pub fn tell(&self, news: News, wakes: &mut Wakes) {
        let mut told = self.told();
        told.news = Some(news);
        wakes.wakers.extend(told.waker.take());
        wakes.threads.extend(self.thread.clone());
    }

    /// What it was told so far.
    pub fn news(&self) -> Option<News> {
        self.told().news
    }

    /// Parks this thread until there is news.
    pub fn park(&self) -> News {
        loop {
            if let Some(news) = self.news() {
                return news;
            }
            thread::park();
        }
    }

    /// The same, for as long as `patience` lasts.
    pub fn park_for(&self, patience: &Patience) -> Option<News> {
        loop {
            if let Some(news) = self.news() {
                return Some(news);
            }
            if patience.park() {
                return None;
            }
        }
    }

    /// Has another waker woken from now on; the news, if there is any already. A waker is code of others, so it is neither
    /// cloned nor dropped under a lock.
    pub fn rewake(&self, waker: &Waker) -> Option<News> {
        let mut waker = Some(waker.clone());
        let mut told = self.told();
        let news = told.news;
        if news.is_none() {
            mem::swap(&mut told.waker, &mut waker);
        }
        drop(told);
        news
    }
}

/// Who is to be woken, once the locks are given back.
#[derive(Default)]
pub struct Wakes {
    threads: Vec<Thread>,
    /// Of futures.
    pub wakers: Vec<Waker>,
}

impl Wakes {
    /// Wakes the threads, which runs nobody's code here.
    pub fn unpark(&mut self) {
        for thread in self.threads.drain(..) {
            thread.unpark();
        }
    }

    /// Wakes all. A waker is code of others: one that panics keeps no other from being woken.
    pub fn run(&mut self) {
        self.unpark();
        for waker in self.wakers.drain(..) {
            let woken = catch_unwind(AssertUnwindSafe(|| waker.wake()));
            // The hook has told of the panic, and dropping what it carried might be the next one.
            mem::forget(woken);
        }
    }
}
