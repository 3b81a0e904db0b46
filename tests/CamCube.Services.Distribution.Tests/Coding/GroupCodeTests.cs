using CamCube.Services.Distribution.Coding;
using CamCube.Services.Distribution.Pieces;
using CamCube.Services.Distribution.Wire;

namespace CamCube.Services.Distribution.Tests.Coding;

/// <summary>Arithmetic and layout of coded files, compared with plain models.</summary>
public sealed class GroupCodeTests
{
    [Fact]
    public void Products_have_inverses_and_vectors_are_what_single_bytes_are()
    {
        for (int factor = 0; factor <= byte.MaxValue; factor++)
        {
            if (factor > 0)
            {
                Assert.Equal(1, ByteField.Multiply((byte)factor, ByteField.Inverse((byte)factor)));
            }

            byte[] from = [.. Enumerable.Range(0, 301).Select(static i => (byte)i)],
                to = [.. Enumerable.Range(0, 301).Select(static i => (byte)(i * 7))];
            byte[] right = [.. from.Zip(to, (f, t) => (byte)(t ^ ByteField.Multiply((byte)factor, f)))];
            ByteField.AddProduct((byte)factor, from, to);
            Assert.Equal(right, to);
            right = [.. from.Select(f => ByteField.Multiply((byte)factor, f))];
            ByteField.Multiply((byte)factor, from);
            Assert.Equal(right, from);
        }

        // The powers of 2 are all numbers but 0.
        Assert.Equal(255, Enumerable.Range(0, 255).Select(ByteField.Power).Distinct().Count());
    }

    [Theory]
    [InlineData(3, 1)]
    [InlineData(4, 1)]
    [InlineData(4, 2)]
    [InlineData(6, 1)]
    [InlineData(6, 2)]
    public void Any_pieces_but_as_many_as_there_are_of_parity_make_all_of_a_group(int trees, int code)
    {
        var random = new Random(trees + code);
        int data = trees - code;
        byte[][] pieces = [.. Enumerable.Range(0, trees).Select(_ => new byte[1_003])];
        for (int tree = 0; tree < data; tree++)
        {
            // The last one is shorter, and ends with zeros.
            random.NextBytes(pieces[tree].AsSpan(0, tree == data - 1 ? 500 : 1_003));
        }

        for (int i = 0; i < 1_003; i++)
        {
            for (int tree = 0; tree < data; tree++)
            {
                pieces[data][i] ^= pieces[tree][i];
                if (code == 2)
                {
                    pieces[data + 1][i] ^= ByteField.Multiply(ByteField.Power(tree), pieces[tree][i]);
                }
            }
        }

        for (uint missing = 1; missing < 1u << trees; missing++)
        {
            if (System.Numerics.BitOperations.PopCount(missing) != code)
            {
                continue;
            }

            byte[] p = new byte[1_003],
                q = new byte[code == 2 ? 1_003 : 0];
            int[] came = [.. Enumerable.Range(0, trees).Where(t => (missing >> t & 1) == 0)];
            random.Shuffle(came);
            Array.ForEach(came, t => GroupCode.Add(t, data, pieces[t], p, q));
            (int ofP, int ofQ) = GroupCode.Solve(missing, data, p, q);
            Assert.Equal(missing, (1u << ofP) | (ofQ < 0 ? 0 : 1u << ofQ));
            Assert.Equal(pieces[ofP], p);
            Assert.Equal(ofQ < 0 ? [] : pieces[ofQ], q);
        }
    }

    [Fact]
    public void Every_piece_has_one_place_and_its_own_blocks()
    {
        var random = new Random(1);
        for (int run = 0; run < 3_000; run++)
        {
            int trees = random.Next(1, 7),
                code = random.Next(DistributionRequest.MostCodeOf(trees) + 1),
                pieceBytes = random.Next(10, 30);
            var layout = new PieceLayout(random.Next(600), pieceBytes, random.Next(3, pieceBytes + 1), trees, code);
            int block = 0;
            for (int piece = 0; piece < layout.All; piece++)
            {
                (int tree, int number) = (layout.TreeOf(piece), layout.NumberOf(piece));
                Assert.Equal(piece, layout.PieceOf(tree, number));
                Assert.InRange(number, 0, layout.CountOf(tree) - 1);
                Assert.Equal(block, layout.FirstBlockOf(piece));
                Assert.InRange(layout.LengthOf(piece), 1, pieceBytes);
                block += (layout.LengthOf(piece) + layout.BlockBytes - 1) / layout.BlockBytes;
            }

            Assert.Equal(block, layout.Blocks);
            Assert.Equal(layout.All, Enumerable.Range(0, trees).Sum(layout.CountOf));
            Assert.True(code > 0 || layout.Blocks == Manifest.BlocksOf(layout.Length, pieceBytes, layout.BlockBytes));
        }
    }
}
