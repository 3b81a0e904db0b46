using System.Runtime.InteropServices;

namespace CamCube.Messaging.Tests;

/// <summary>Header of the test service.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
public struct Letter : IMessageHeader<Letter>
{
    public MessageHeader Message;
    public ulong Tag;
    public uint WantsAnswer;

    public static ref MessageHeader MessageOf(ref Letter header) => ref header.Message;
}
