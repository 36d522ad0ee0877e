//! The one loop that answers run requests from the store or from an executor.
