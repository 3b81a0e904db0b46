namespace CamCube.Sockets;

/// <summary>struct msghdr.</summary>
internal unsafe struct MessageHeader
{
    /// <summary>MSG_TRUNC in <see cref="Flags"/>: the message was longer than its buffer.</summary>
    public const int Truncated = 0x20;

    public void* Name;
    public uint NameLength;
    public IoVector* Vectors;
    public nint VectorCount;
    public void* Control;
    public nint ControlLength;
    public int Flags;
}
