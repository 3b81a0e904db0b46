namespace CamCube.Linux;

/// <summary>struct iovec.</summary>
internal unsafe struct IoVector
{
    public byte* Bytes;
    public nint Length;
}
