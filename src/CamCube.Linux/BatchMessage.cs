namespace CamCube.Linux;

/// <summary>struct mmsghdr: a message, and how many bytes it came to.</summary>
internal struct BatchMessage
{
    public MessageHeader Header;
    public uint Length;
}
