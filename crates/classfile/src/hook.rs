//! The methods of the hook class that the rewriter calls by itself.

/// A static method of the hook class. It is called before the access, with
/// copies of the operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Hook {
    /// `getstatic`; takes the field id.
    StaticRead,
    /// `putstatic` of a primitive; takes the field id.
    StaticWrite,
    /// `putstatic` of a reference; takes the field id.
    StaticWriteRef,
    /// `getfield`; takes receiver and field id.
    Read,
    /// `putfield` of a primitive; takes receiver and field id.
    Write,
    /// `putfield` of a reference; takes receiver and field id.
    WriteRef,
    /// Load from an array; takes array and index.
    ElementRead,
    /// Store of a primitive into an array; takes array and index.
    ElementWrite,
    /// Store of a reference into an array; takes array and index.
    ElementWriteRef,
    /// `Object.clone`; takes the original.
    Cloning,
    /// A normal end of `<clinit>`.
    ClassInitialized,
    /// Control arrives at a block; takes its number.
    Reached,
    /// The start of a watched `<clinit>`; takes the number of the class.
    Initializing,
    /// A normal end of a watched `<clinit>`; takes the number of the class.
    Initialized,
}

impl Hook {
    /// All of them.
    pub const ALL: [Self; 14] = [
        Self::StaticRead,
        Self::StaticWrite,
        Self::StaticWriteRef,
        Self::Read,
        Self::Write,
        Self::WriteRef,
        Self::ElementRead,
        Self::ElementWrite,
        Self::ElementWriteRef,
        Self::Cloning,
        Self::ClassInitialized,
        Self::Reached,
        Self::Initializing,
        Self::Initialized,
    ];

    /// The name of the method.
    pub fn name(self) -> &'static str {
        match self {
            Self::StaticRead => "staticRead",
            Self::StaticWrite => "staticWrite",
            Self::StaticWriteRef => "staticWriteRef",
            Self::Read => "read",
            Self::Write => "write",
            Self::WriteRef => "writeRef",
            Self::ElementRead => "elementRead",
            Self::ElementWrite => "elementWrite",
            Self::ElementWriteRef => "elementWriteRef",
            Self::Cloning => "cloning",
            Self::ClassInitialized => "classInitialized",
            Self::Reached => "reached",
            Self::Initializing => "initializing",
            Self::Initialized => "initialized",
        }
    }

    /// Its descriptor.
    pub fn descriptor(self) -> &'static str {
        match self {
            Self::StaticRead | Self::StaticWrite | Self::StaticWriteRef => "(I)V",
            Self::Reached | Self::Initializing | Self::Initialized => "(I)V",
            Self::Read | Self::Write | Self::WriteRef => "(Ljava/lang/Object;I)V",
            Self::ElementRead | Self::ElementWrite | Self::ElementWriteRef => {
                "(Ljava/lang/Object;I)V"
            }
            Self::Cloning => "(Ljava/lang/Object;)V",
            Self::ClassInitialized => "()V",
        }
    }
}
