namespace CamCube.Linux;

/// <summary>struct msghdr.</summary>
internal unsafe struct MessageHeader
{
    /// <summary>MSG_TRUNC in <see cref="Flags"/>: the message was longer than its buffer.</summary>
    public const int Truncated = 0x20;

#pragma warning disable CS0649 // Zero, or written by the kernel.
    public void* Name;
    public uint NameLength;
    public IoVector* Vectors;
    public nint VectorCount;
    public void* Control;
    public nint ControlLength;
    public int Flags;
#pragma warning restore CS0649
}
