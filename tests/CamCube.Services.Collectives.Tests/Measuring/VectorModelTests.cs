using CamCube.Services.Collectives.Folding;
using CamCube.Services.Collectives.Measuring;
using CamCube.Services.Collectives.Wire;

namespace CamCube.Services.Collectives.Tests.Measuring;

/// <summary>What a measurement takes for right is what the kernels work out, in any order.</summary>
public sealed class VectorModelTests
{
    public static TheoryData<ElementType, ReduceOperator, int> Folds()
    {
        var all = new TheoryData<ElementType, ReduceOperator, int>();
        foreach (ElementType type in Enum.GetValues<ElementType>())
        {
            foreach (ReduceOperator operation in Enum.GetValues<ReduceOperator>())
            {
                if (FoldKernels.Of(type, operation) is not null)
                {
                    all.AddRange((type, operation, 1), (type, operation, 27), (type, operation, 300));
                }
            }
        }

        return all;
    }

    [Theory]
    [MemberData(nameof(Folds))]
    public void A_fold_in_any_order_is_right_and_any_other_element_is_counted(
        ElementType type,
        ReduceOperator operation,
        int members
    )
    {
        const int Count = 5_000;
        int size = ElementTypes.SizeOf(type);
        FoldKernel kernel = FoldKernels.Of(type, operation)!;
        MeasureTerms terms = Terms(OperationKind.AllReduce, type, operation, members);
        int[] order = [.. Enumerable.Range(0, members)];
        new Random(members).Shuffle(order);
        byte[] result = new byte[Count * size],
            other = new byte[Count * size];
        new VectorModel(terms, order[0]).Fill(result);
        foreach (int rank in order[1..])
        {
            new VectorModel(terms, rank).Fill(other);
            kernel(result, other);
        }

        var model = new VectorModel(terms, members / 2);
        Assert.Equal(0, model.WrongOf(result));
        foreach (int at in (int[])[0, 4_092, 4_093, 4_999])
        {
            result[at * size] ^= 1;
            result[(at * size) + size - 1] ^= 2;
        }

        Assert.Equal(4, model.WrongOf(result));
    }

    [Fact]
    public void What_was_moved_by_a_block_is_found()
    {
        MeasureTerms terms = Terms(OperationKind.Broadcast, ElementType.Float32, ReduceOperator.Sum, 2);
        byte[] vector = new byte[1 << 20];
        new VectorModel(terms, 0).Fill(vector);
        var model = new VectorModel(terms, 1);
        Assert.Equal(0, model.WrongOf(vector));
        vector.AsSpan(16 << 10, 4 << 10).CopyTo(vector.AsSpan(64 << 10));
        Assert.InRange(model.WrongOf(vector), 500, 1_024);
    }

    [Fact]
    public void Each_operation_looks_at_what_a_member_gets()
    {
        const int Members = 3;
        byte[] vector = new byte[6_000 * Members];
        MeasureTerms scatter = Terms(OperationKind.ReduceScatter, ElementType.Int16, ReduceOperator.Max, Members);
        MeasureTerms gather = Terms(OperationKind.AllGather, ElementType.Int16, ReduceOperator.Max, Members);
        MeasureTerms reduce = Terms(OperationKind.Reduce, ElementType.Int16, ReduceOperator.Max, Members);
        byte[] result = Filled(reduce, 0, vector.Length);
        foreach (int rank in (int[])[1, 2])
        {
            FoldKernels.Of(ElementType.Int16, ReduceOperator.Max)!(result, Filled(reduce, rank, vector.Length));
        }

        Assert.Equal(0, new VectorModel(reduce, 0).WrongOf(result));
        Assert.Equal(0, new VectorModel(reduce, 1).WrongOf(vector));
        Assert.NotEqual(0, new VectorModel(reduce, 0).WrongOf(vector));
        result.AsSpan(6_000, 6_000).CopyTo(vector.AsSpan(6_000));
        Assert.Equal(0, new VectorModel(scatter, 1).WrongOf(vector));
        Assert.NotEqual(0, new VectorModel(scatter, 2).WrongOf(vector));
        for (int rank = 0; rank < Members; rank++)
        {
            Filled(gather, rank, vector.Length).AsSpan(rank * 6_000, 6_000).CopyTo(vector.AsSpan(rank * 6_000));
        }

        Assert.Equal(0, new VectorModel(gather, 2).WrongOf(vector));
        Filled(gather, 0, vector.Length).AsSpan(12_000, 6_000).CopyTo(vector.AsSpan(12_000));
        Assert.NotEqual(0, new VectorModel(gather, 2).WrongOf(vector));
    }

    private static byte[] Filled(MeasureTerms terms, int rank, int length)
    {
        byte[] vector = new byte[length];
        new VectorModel(terms, rank).Fill(vector);
        return vector;
    }

    private static MeasureTerms Terms(OperationKind kind, ElementType type, ReduceOperator operation, int members) =>
        new(1, kind, type, operation, 1, 1, 1, new Coordinate[members]);
}
