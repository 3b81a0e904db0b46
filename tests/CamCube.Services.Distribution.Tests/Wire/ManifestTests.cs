using System.Buffers.Binary;
using System.Text;
using CamCube.Services.Distribution.Pieces;
using CamCube.Services.Distribution.Wire;

namespace CamCube.Services.Distribution.Tests.Wire;

/// <summary>Manifests that are read as they were written, and what is none.</summary>
public sealed class ManifestTests
{
    private const int Most = 1_000;
    private static readonly TorusShape Shape = new(3, 3, 3);

    [Fact]
    public void What_was_written_is_read()
    {
        Manifest manifest = Make("image.raw", 20_000);
        Manifest read = ManifestFormat.TryRead(ManifestFormat.Write(manifest), Shape, Most)!;
        Assert.Equal((manifest.JobNumber, manifest.Source, manifest.Name), (read.JobNumber, read.Source, read.Name));
        Assert.Equal((manifest.Length, manifest.PieceBytes), (read.Length, read.PieceBytes));
        Assert.Equal(manifest.Hash, read.Hash);
        Assert.Equal(manifest.Sums, read.Sums);
        Assert.Equal([new(1, 0, 0), new(2, 2, 2)], read.MembersIn(Shape));
        Assert.True(ManifestFormat.Write(manifest).Length <= ManifestFormat.MostBytes(Shape, Most));
    }

    [Fact]
    public void Every_cut_and_every_flipped_bit_is_found()
    {
        byte[] right = ManifestFormat.Write(Make("f", 9_000));
        for (int i = 0; i < right.Length; i++)
        {
            Assert.Null(ManifestFormat.TryRead(right.AsSpan(0, i), Shape, Most));
            byte[] wrong = (byte[])right.Clone();
            wrong[i] ^= (byte)(1 << (i % 8));
            Assert.Null(ManifestFormat.TryRead(wrong, Shape, Most));
        }

        Assert.Null(ManifestFormat.TryRead([.. right, 0], Shape, Most));
    }

    [Theory]
    [InlineData("a/b")]
    [InlineData("../../etc/passwd")]
    [InlineData("..")]
    [InlineData("")]
    [InlineData("a\0b")]
    [InlineData(".hidden")]
    [InlineData("0123456789abcdef.part")]
    [InlineData("f.upload")]
    [InlineData("sch\u00F6n")]
    public void Names_that_no_file_may_have_are_refused(string name) =>
        Assert.Null(ManifestFormat.TryRead(ManifestFormat.Write(Make(name, 100)), Shape, Most));

    [Fact]
    public void Names_that_are_too_long_are_refused()
    {
        Assert.NotNull(ManifestFormat.TryRead(ManifestFormat.Write(Make(new string('x', 93), 1)), Shape, Most));
        Assert.Null(ManifestFormat.TryRead(ManifestFormat.Write(Make(new string('x', 94), 1)), Shape, Most));
        Assert.Null(ManifestFormat.TryRead(ManifestFormat.Write(Make(new string('x', 255), 1)), Shape, Most));
    }

    // Right checksums, so that it is the numbers themselves that are looked at.
    [Theory]
    [InlineData(12, -1L)]
    [InlineData(12, long.MinValue)]
    [InlineData(12, long.MaxValue)]
    [InlineData(12, 1L << 62)]
    [InlineData(12, 8_193L)]
    [InlineData(12, 0L)]
    [InlineData(20, 0L)]
    public void Lengths_and_jobs_that_cannot_be_are_refused(int at, long number) =>
        Assert.Null(Forged(bytes => BinaryPrimitives.WriteInt64LittleEndian(bytes[at..], number)));

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    [InlineData(4_095)]
    [InlineData((1 << 20) + 1)]
    [InlineData(int.MinValue)]
    public void Piece_lengths_that_cannot_be_are_refused(int pieceBytes) =>
        Assert.Null(Forged(bytes => BinaryPrimitives.WriteInt32LittleEndian(bytes[8..], pieceBytes)));

    [Fact]
    public void Servers_that_the_cube_does_not_have_are_refused()
    {
        Assert.Null(Forged(static bytes => bytes[2] = 3));
        Assert.NotNull(Forged(static _ => { }));

        // The last of 32 bits; and no bit at all.
        int atMembers = ManifestFormat.Write(Make("f", 4_096)).Length - 8 - 4;
        Assert.Null(Forged(bytes => bytes[atMembers + 3] = 0x80));
        Assert.Null(Forged(bytes => bytes.Slice(atMembers, 4).Clear()));
    }

    // One tree of six has parity of pieces that nobody has sums of; of three in a ring none can.
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(255)]
    public void Codes_that_cannot_be_or_have_no_sums_are_refused(int code)
    {
        const int AtCode = 82;
        Assert.Null(Forged(bytes => bytes[AtCode] = (byte)code));
        byte[] coded = ManifestFormat.Write(Make("f", 20_000, code: Math.Min(code, 2)));
        Assert.Equal(Math.Min(code, 2), coded[AtCode]);
        Manifest read = ManifestFormat.TryRead(coded, Shape, Most)!;
        Assert.Equal((Math.Min(code, 2), 5 + (code == 1 ? 1 : 4)), (read.Code, read.Sums.Length));
        Assert.Null(ManifestFormat.TryRead(coded, new TorusShape(27, 1, 1), Most));
    }

    [Fact]
    public void Random_bytes_are_refused()
    {
        var random = new Random(1);
        for (int i = 0; i < 2_000; i++)
        {
            byte[] bytes = new byte[random.Next(300)];
            random.NextBytes(bytes);
            Assert.Null(ManifestFormat.TryRead(bytes, Shape, Most));
        }
    }

    private delegate void Forge(Span<byte> bytes);

    private static Manifest? Forged(Forge forge)
    {
        byte[] bytes = ManifestFormat.Write(Make("f", 4_096));
        forge(bytes);
        BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(bytes.Length - 4), PieceSum.Of(bytes.AsSpan()[..^4]));
        return ManifestFormat.TryRead(bytes, Shape, Most);
    }

    private static Manifest Make(string name, long length, int code = 0) =>
        new()
        {
            JobNumber = 7,
            Source = new(1, 2, 0),
            Name = name,
            Replaces = false,
            Length = length,
            PieceBytes = 4_096,
            BlockBytes = 4_096,
            Hash = Encoding.ASCII.GetBytes(new string('h', 32)),
            Members = Manifest.BitsOf([new(1, 0, 0), new(2, 2, 2)], Shape),
            Code = code,
            Sums =
            [
                .. Enumerable
                    .Range(0, (int)new PieceLayout(length, 4_096, 4_096, 6, code).Blocks)
                    .Select(static i => (uint)i),
            ],
        };
}
