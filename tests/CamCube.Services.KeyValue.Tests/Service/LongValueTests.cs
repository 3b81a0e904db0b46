using System.Security.Cryptography;
using CamCube.Services.KeyValue.Log;
using static CamCube.Services.KeyValue.KeyValueStatus;

namespace CamCube.Services.KeyValue.Tests.Service;

/// <summary>Values that are longer than an entry.</summary>
public sealed class LongValueTests
{
    private const int Piece = PieceList.PieceBytes;

    [Theory]
    [InlineData(3, 1, 1, 1)]
    [InlineData(3, 1, 1, Piece)]
    [InlineData(3, 1, 1, Piece + 1)]
    [InlineData(3, 3, 1, (3 * Piece) - 1)]
    [InlineData(2, 2, 2, 9 * Piece)]
    [InlineData(1, 1, 1, 2 * Piece)]
    public void What_is_written_is_read_at_every_server_whole_and_in_part(int x, int y, int z, int more)
    {
        using var cube = new StoreCube(x, y, z);
        cube.AwaitLed();
        byte[] value = LongValues.Of(1, (64 << 10) + more);
        KeyValueAnswer put = LongValues.Write(cube, 0, "big", value);
        Assert.Equal(Done, put.Status);
        for (int rank = 0; rank < cube.Cube.Shape.Count; rank++)
        {
            (KeyValueAnswer answer, byte[] read) = LongValues.Read(cube, rank, "big", 0, long.MaxValue);
            Assert.Equal((Done, put.Version, (long)value.Length), (answer.Status, answer.Version, answer.Length));
            Assert.Equal(SHA256.HashData(value), SHA256.HashData(read));
            (_, byte[] part) = LongValues.Read(cube, rank, "big", value.Length - 60_000, 59_999);
            Assert.Equal(value[^60_000..^1], part);
        }

        Assert.Equal(Done, cube.Delete(0, "big").Status);
        Assert.Equal(NotFound, LongValues.Read(cube, 0, "big", 0, 1).Answer.Status);
        cube.Cube.Advance(TimeSpan.FromSeconds(100));
        Assert.True(LongValues.Pieces(cube) == 0, $"{LongValues.Pieces(cube)} values have pieces still");
        cube.Cube.AssertQuiet();
    }
}
