namespace CamCube.Services.Cache.Memcached.Commands;

/// <summary>Statuses of memcached's binary protocol.</summary>
internal enum BinaryStatus : ushort
{
    /// <summary>Done.</summary>
    Success = 0x00,

    /// <summary>There is no such item.</summary>
    NotFound = 0x01,

    /// <summary>The item is there, or its token is another one.</summary>
    Exists = 0x02,

    /// <summary>Larger than the largest item.</summary>
    TooLarge = 0x03,

    /// <summary>The request is malformed.</summary>
    InvalidArguments = 0x04,

    /// <summary>append and prepend without an item.</summary>
    NotStored = 0x05,

    /// <summary>incr or decr of a value that is no number.</summary>
    NotANumber = 0x06,

    /// <summary>The client may not do that.</summary>
    AuthenticationError = 0x20,

    /// <summary>There is no such opcode here.</summary>
    UnknownCommand = 0x81,

    /// <summary>No memory for it.</summary>
    OutOfMemory = 0x82,

    /// <summary>Not possible with this key.</summary>
    NotSupported = 0x83,

    /// <summary>An error in the server.</summary>
    InternalError = 0x84,

    /// <summary>The cube does not answer; try again, or another server.</summary>
    TemporaryFailure = 0x86,
}
