using System.Buffers.Binary;
using CamCube.Services.Images.Pictures.Formats;
using CamCube.Services.Images.Pictures.Simulated;
using CamCube.Services.Images.Pictures.Wire;

namespace CamCube.Services.Images.Tests.Service;

/// <summary>Files that begin as a JPEG does; behind the header are bytes of a seed.</summary>
internal static class TestPicture
{
    public static byte[] Of(int seed, int length = 3_000, int width = 640, int height = 480)
    {
        byte[] head = [0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8, 0, 0, 0, 0, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1, 0xFF, 0xDA];
        BinaryPrimitives.WriteUInt16BigEndian(head.AsSpan(7), (ushort)height);
        BinaryPrimitives.WriteUInt16BigEndian(head.AsSpan(9), (ushort)width);
        byte[] picture = new byte[length];
        new Random(seed).NextBytes(picture);
        head.CopyTo(picture, 0);
        return picture;
    }

    /// <summary>One that does something to its worker.</summary>
    public static byte[] Ending(int seed, ReadOnlySpan<byte> end)
    {
        byte[] picture = Of(seed);
        end.CopyTo(picture.AsSpan(picture.Length - end.Length));
        return picture;
    }

    /// <summary>The variant that simulated workers make.</summary>
    public static byte[] Variant(byte[] picture, ushort width = 160, ushort height = 160)
    {
        Assert.Equal(PictureFault.None, PictureHeader.Read(picture, PictureLimits.Default, out PictureHeader header));
        return SimulatedPictures.Make(picture, header, new VariantSpec(width, height)).Bytes.ToArray();
    }
}
