using CamCube.Services.Collectives.Measuring;
using CamCube.Services.Collectives.Wire;

namespace CamCube.Services.Collectives.Tests.Measuring;

/// <summary>Terms of a measurement as bytes, and what cannot be.</summary>
public sealed class MeasureTermsTests
{
    private static readonly TorusShape Shape = new(3, 3, 3);

    [Theory]
    [InlineData(27)]
    [InlineData(1)]
    [InlineData(26)]
    public void What_is_written_is_read(int members)
    {
        MeasureTerms terms = Terms(OperationKind.AllGather, 100, 900, members);
        MeasureTerms? read = MeasureTerms.TryRead(terms.Write(Shape), Shape);
        Assert.Equal(terms with { Members = [] }, read! with { Members = [] });
        Assert.Equal(terms.Members, read.Members);
    }

    [Fact]
    public void Bytes_of_others_are_no_terms_or_terms_that_can_be_looked_at()
    {
        var random = new Random(1);
        byte[] bytes = Terms(OperationKind.AllReduce, 4, 4_096, 5).Write(Shape);
        for (int length = 0; length < bytes.Length; length++)
        {
            MeasureTerms? read = MeasureTerms.TryRead(bytes.AsSpan(0, length), Shape);
            Assert.True(read is null || length % sizeof(int) == 0);
        }

        for (int round = 0; round < 20_000; round++)
        {
            byte[] wrong = [.. bytes];
            for (int i = random.Next(4); i >= 0; i--)
            {
                wrong[random.Next(wrong.Length)] = (byte)random.Next();
            }

            if (MeasureTerms.TryRead(wrong, Shape) is { } read && MeasuredSizes.WrongOf(read, 1 << 20) is null)
            {
                Assert.InRange(MeasuredSizes.BytesOf(read), 0, 1 << 20);
                Assert.All(MeasuredSizes.Of(read), bytes => Assert.InRange(bytes, 0, 1 << 20));
            }
        }
    }

    [Fact]
    public void Sizes_double_in_whole_elements_and_parts()
    {
        Assert.Equal([4, 8, 16, 32], MeasuredSizes.Of(Terms(OperationKind.AllReduce, 1, 35, 27)));
        Assert.Equal([108, 216], MeasuredSizes.Of(Terms(OperationKind.AllGather, 60, 300, 27)));
        Assert.Equal([0], MeasuredSizes.Of(Terms(OperationKind.Barrier, 60, 300, 27)));
    }

    [Fact]
    public void All_servers_in_another_order_stay_in_it()
    {
        MeasureTerms terms = Terms(OperationKind.AllReduce, 4, 4, 27);
        terms = terms with { Members = [.. terms.Members.Reverse()] };
        Assert.Equal(terms.Members, MeasureTerms.TryRead(terms.Write(Shape), Shape)!.Members);
    }

    private static MeasureTerms Terms(OperationKind kind, int least, int most, int members) =>
        new(
            77,
            kind,
            ElementType.Float32,
            ReduceOperator.Sum,
            3,
            least,
            most,
            [
                .. Enumerable
                    .Range(0, members)
                    .Select(i => Shape.At(26 - i))
                    .OrderBy(at => members == 27 ? Shape.RankOf(at) : 0),
            ]
        );
}
