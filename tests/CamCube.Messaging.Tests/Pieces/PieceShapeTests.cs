using CamCube.Messaging.Pieces;

namespace CamCube.Messaging.Tests.Pieces;

public sealed class PieceShapeTests
{
    [Theory]
    [InlineData(0, 10, 1)]
    [InlineData(1, 10, 1)]
    [InlineData(10, 10, 1)]
    [InlineData(11, 10, 2)]
    [InlineData(1048576, 8936, 118)]
    public void A_message_is_cut_into_equal_pieces_and_a_rest(int length, int piece, int count)
    {
        var shape = new PieceShape(length, piece);
        Assert.Equal(count, shape.Count);
        Assert.Equal(length, Enumerable.Range(0, count).Sum(shape.LengthOf));
        Assert.All(Enumerable.Range(0, count - 1), i => Assert.Equal(piece, shape.LengthOf(i)));
    }

    [Fact]
    public void No_header_reads_beyond_the_message()
    {
        var random = new Random(7);
        for (int i = 0; i < 200_000; i++)
        {
            var header = new MessageHeader
            {
                Length = (uint)random.NextInt64(1L << random.Next(33)),
                PieceLength = (ushort)random.Next(1 << random.Next(17)),
                Piece = (ushort)random.Next(1 << random.Next(17)),
            };
            int body = random.Next(1 << random.Next(15));
            if (PieceShape.TryRead(header, body, 1 << 20, out PieceShape shape))
            {
                Assert.InRange(shape.OffsetOf(header.Piece) + body, 0, shape.Length);
                Assert.InRange(shape.Count, 1, PieceShape.MaxPieces);
                Assert.InRange(shape.Length, 0, 1 << 20);
            }
        }
    }

    [Fact]
    public void Pieces_that_do_not_fit_are_refused()
    {
        var header = new MessageHeader
        {
            Length = 25,
            PieceLength = 10,
            Piece = 2,
        };
        Assert.True(PieceShape.TryRead(header, 5, 100, out _));
        Assert.False(PieceShape.TryRead(header, 6, 100, out _));
        Assert.False(PieceShape.TryRead(header, 4, 100, out _));
        Assert.False(PieceShape.TryRead(header, 5, 24, out _));
        Assert.False(PieceShape.TryRead(header with { Piece = 3 }, 0, 100, out _));
        Assert.False(PieceShape.TryRead(header with { PieceLength = 0 }, 0, 100, out _));
        Assert.False(PieceShape.TryRead(new MessageHeader { Length = 100_000, PieceLength = 1 }, 1, 1 << 20, out _));
    }
}
