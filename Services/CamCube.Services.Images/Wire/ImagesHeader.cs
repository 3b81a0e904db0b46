using System.Runtime.InteropServices;
using CamCube.Messaging;

namespace CamCube.Services.Images.Wire;

/// <summary>Header of the service's packets: 36 bytes, little-endian.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
internal struct ImagesHeader : IMessageHeader<ImagesHeader>
{
    public MessageHeader Message;

    /// <summary>The question of the asking server.</summary>
    public ulong Question;

    public ImagesKind Kind;

    public byte Unused;

    public ushort Unused1;

    public static ref MessageHeader MessageOf(ref ImagesHeader header) => ref header.Message;
}
