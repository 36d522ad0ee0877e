//! What is known within a block that makes a hook superfluous.
//!
//! A hook reports only the first read and the first write of a place in an
//! epoch, so a second one on the same place is not needed, provided that no
//! epoch can begin in between and that the object cannot become old in between.
//! Code between two epochs is not always our own: a runner or an extension of
//! the suite has frames that outlive an epoch, and a background thread may wait
//! anywhere. What can take long or can run a class initialiser (whose end makes
//! objects old) is a call or a monitor that is entered, so both end what is
//! known of reports. For the same reason nothing is carried into a loop.

use crate::values::Value;

/// Keeps the cost of a lookup bounded; the newest facts are the useful ones.
const MAX_FACTS: usize = 48;

/// What an access touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Touched {
    /// The field constant.
    Static(u16),
    /// The receiver and the field constant.
    Field(Value, u16),
    /// The array and the index.
    Element(Value, Value),
}

impl Touched {
    /// Whether two of them can be told to be the same.
    fn is_known(self) -> bool {
        match self {
            Self::Static(_) => true,
            Self::Field(receiver, _) => receiver.is_known(),
            Self::Element(array, index) => array.is_known() && index.is_known(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Report {
    touched: Touched,
    written: bool,
}

/// Facts of the current block.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    reports: Vec<Report>,
    /// Objects made here that nobody else can know.
    private: Vec<Value>,
    /// Arrays whose content never changes.
    constant: Vec<Value>,
}

impl Facts {
    pub(crate) fn forget_all(&mut self) {
        self.reports.clear();
        self.private.clear();
        self.constant.clear();
    }

    /// After what may take long.
    pub(crate) fn forget_reports(&mut self) {
        self.reports.clear();
    }

    /// Whether the access was reported already; if not, it will be now.
    pub(crate) fn is_reported(&mut self, touched: Touched, written: bool) -> bool {
        if !touched.is_known() {
            return false;
        }
        match self.reports.iter_mut().find(|report| report.touched == touched) {
            Some(report) if report.written || !written => true,
            Some(report) => {
                report.written = true;
                false
            }
            None => {
                push_bounded(&mut self.reports, Report { touched, written });
                false
            }
        }
    }

    /// Whether any access was reported.
    pub(crate) fn is_touched(&self, touched: Touched) -> bool {
        self.reports.iter().any(|report| report.touched == touched)
    }

    pub(crate) fn make_private(&mut self, object: Value) {
        push_bounded(&mut self.private, object);
    }

    pub(crate) fn is_private(&self, object: Value) -> bool {
        self.private.contains(&object)
    }

    /// Others may know the object from now on.
    pub(crate) fn publish(&mut self, object: Value) {
        self.private.retain(|&one| one != object);
    }

    pub(crate) fn make_constant(&mut self, array: Value) {
        push_bounded(&mut self.constant, array);
    }

    pub(crate) fn is_constant(&self, array: Value) -> bool {
        self.constant.contains(&array)
    }
}

fn push_bounded<T>(facts: &mut Vec<T>, fact: T) {
    if facts.len() == MAX_FACTS {
        facts.remove(0);
    }
    facts.push(fact);
}
