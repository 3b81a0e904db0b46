using System.Buffers.Binary;
using CamCube.Services.Images.Pictures.Formats;
using CamCube.Services.Images.Pictures.Wire;
using CamCube.Tests;

namespace CamCube.Services.Images.Pictures.Tests.Wire;

/// <summary>Frames between store and workers. A worker that a picture has taken over writes what it likes.</summary>
public sealed class PictureFramesTests
{
    private const uint Id = 7;

    private static readonly Variant[] Made =
    [
        new(PictureFormat.Jpeg, 160, 120, new byte[] { 1, 2, 3 }),
        new(PictureFormat.WebP, 50, 50, new byte[] { 4, 5 }),
    ];

    [Fact]
    public void An_answer_is_read_as_it_was_written_and_half_of_it_is_waited_for()
    {
        byte[] answer = PictureFrames.Answer(Id, PictureStatus.Done, Made, "words");
        for (int length = 0; length < answer.Length; length++)
        {
            Assert.InRange(PictureFrames.Measure(answer.AsSpan(0, length)), length + 1, answer.Length);
        }

        Assert.Equal(answer.Length, PictureFrames.Measure(answer));
        PictureResult read = PictureFrames.Read(answer, Id, 2)!.Value;
        Assert.Equal((PictureStatus.Done, "words"), (read.Status, read.Text));
        Assert.Equal(
            Made.Select(static one => (one.Format, one.Width, one.Height, Convert.ToHexString(one.Bytes.Span))),
            read.Variants.Select(static one => (one.Format, one.Width, one.Height, Convert.ToHexString(one.Bytes.Span)))
        );
    }

    [Fact]
    public void An_answer_to_something_else_is_none()
    {
        byte[] answer = PictureFrames.Answer(Id, PictureStatus.Done, Made, "");
        Assert.Null(PictureFrames.Read(answer, Id + 1, 2));
        Assert.Null(PictureFrames.Read(answer, Id, 1));
        Assert.Null(PictureFrames.Read(answer, Id, 3));
        Assert.Null(PictureFrames.Read(PictureFrames.Answer(Id, PictureStatus.Damaged, Made, ""), Id, 2));
        Assert.NotNull(PictureFrames.Read(PictureFrames.Answer(Id, PictureStatus.Damaged, [], ""), Id, 2));
    }

    [Theory]
    [InlineData(0, (byte)'X')]
    [InlineData(3, (byte)'2')]
    [InlineData(8, (byte)(PictureStatus.ParserDiffers + 1))]
    [InlineData(9, (byte)(PictureFrames.MaxVariants + 1))]
    [InlineData(PictureFrames.AnswerHead, (byte)PictureFormat.Gif)]
    [InlineData(PictureFrames.AnswerHead + 1, (byte)1)]
    [InlineData(PictureFrames.AnswerHead + 9, (byte)0x80)]
    public void Rubbish_is_seen_as_soon_as_it_is_there(int at, byte value)
    {
        byte[] answer = PictureFrames.Answer(Id, PictureStatus.Done, Made, "");
        answer[at] = value;
        Assert.Equal(-1, PictureFrames.Measure(answer));
    }

    [Fact]
    public void No_answer_makes_the_store_throw_or_read_behind_its_end()
    {
        byte[] answer = PictureFrames.Answer(Id, PictureStatus.Done, Made, "words");
        FuzzInputs.Run(
            (random, count) =>
            {
                for (int i = 0; i < count; i++)
                {
                    byte[] bent = random.Bend(answer, answer, 300);
                    int length = PictureFrames.Measure(bent);
                    if (length < 0 || length > bent.Length)
                    {
                        continue;
                    }

                    uint id = BinaryPrimitives.ReadUInt32LittleEndian(bent.AsSpan(4));
                    PictureResult? read = PictureFrames.Read(bent.AsMemory(0, length), id, bent[9]);
                    Assert.InRange(read?.Variants.Sum(static one => one.Bytes.Length) ?? 0, 0, length);
                    Assert.All(
                        read?.Variants ?? [],
                        one => Assert.True(one.Format is PictureFormat.Jpeg or PictureFormat.WebP)
                    );
                }
            }
        );
    }

    [Fact]
    public void No_request_makes_a_worker_throw()
    {
        var header = new PictureHeader(PictureFormat.Png, 30, 20, 1);
        byte[] request = PictureFrames.Request(Id, header, 1_000, [new VariantSpec(160, 160)]);
        Assert.True(
            PictureFrames.TryReadRequest(request, out uint id, out PictureHeader read, out int count, out int length)
        );
        Assert.Equal((Id, header, 1, 1_000), (id, read, count, length));
        FuzzInputs.Run(
            (random, inputs) =>
            {
                for (int i = 0; i < inputs; i++)
                {
                    byte[] bent = random.Bend(request, request, 100);
                    bool isRead = PictureFrames.TryReadRequest(bent, out _, out read, out count, out length);
                    Assert.True(
                        !isRead
                            || (
                                count is >= 1 and <= PictureFrames.MaxVariants
                                && length > 0
                                && read.MediaType.Length > 0
                            )
                    );
                }
            }
        );
    }
}
