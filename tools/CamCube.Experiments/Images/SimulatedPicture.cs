using System.Buffers.Binary;
using CamCube.Simulator.Disks;

namespace CamCube.Experiments.Images;

/// <summary>Pictures for virtual time: a JPEG's header, and behind it bytes that simulated disks keep in little memory.
/// Their lengths and pixels are those of <see cref="MadePictures"/>.</summary>
internal static class SimulatedPicture
{
    private const ulong Step = 0x9E3779B97F4A7C15;
    private const int Width = 2_448;

    private static ReadOnlySpan<byte> Head =>
        [0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8, 0, 0, 0, 0, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1, 0xFF, 0xDA];

    /// <summary>Makes one.</summary>
    /// <param name="number">Which of the papers' 233.</param>
    /// <param name="first">Its bytes' first word; another for each picture.</param>
    public static byte[] Make(int number, ulong first) =>
        OfLength(MadePictures.LengthOf(number, MadePictures.Count, MadePictures.MeanBytes), first);

    /// <summary>Makes one of another length.</summary>
    /// <param name="length">Its bytes.</param>
    /// <param name="first">Its bytes' first word; another for each picture.</param>
    public static byte[] OfLength(int length, ulong first)
    {
        byte[] picture = new byte[length];
        CountedBytes.Fill(picture, 0, first, Step);
        Head.CopyTo(picture);
        BinaryPrimitives.WriteUInt16BigEndian(
            picture.AsSpan(7),
            (ushort)(MadePictures.PixelsOf(picture.Length) / Width)
        );
        BinaryPrimitives.WriteUInt16BigEndian(picture.AsSpan(9), Width);
        return picture;
    }
}
