using System.Buffers.Binary;
using CamCube.Services.Collectives.Wire;

namespace CamCube.Services.Collectives.Measuring;

/// <summary>
/// One member's part in a measurement: all sizes, one after the other. Each is done once to warm up, timed from a
/// barrier on, and done once more; the first and the last are looked at. The rounds that are timed add up what the ones
/// before have left, as NCCL's tests do: filling a vector would be timed, too. Loop only.
/// </summary>
/// <param name="server">The server.</param>
/// <param name="terms">What is measured.</param>
/// <param name="group">Its group, open.</param>
internal sealed class Series(IServer server, MeasureTerms terms, IGroup group)
{
    // Filling and comparing wait their turn behind those of other servers of the process.
    private static readonly OffloadOptions Aside = new()
    {
        Class = OffloadClass.Long,
        Deadline = TimeSpan.FromMinutes(5),
    };

    private readonly VectorModel _model = new(terms, group.Rank);
    private readonly byte[] _number = new byte[sizeof(long)];
    private CollectiveResult _last;

    /// <summary>Runs it to its end, or to that of the group.</summary>
    /// <param name="memory">Room for the longest vector.</param>
    /// <param name="measured">Is told each size.</param>
    public async ValueTask<CollectiveResult> RunAsync(Memory<byte> memory, Action<MeasuredSize> measured)
    {
        foreach (int bytes in MeasuredSizes.Of(terms))
        {
            Memory<byte> vector = memory[..bytes];
            long first = await CheckedAsync(vector),
                nanos = first < 0 ? -1 : await TimedAsync(vector),
                last = nanos < 0 ? -1 : await CheckedAsync(vector);
            if (last < 0)
            {
                return _last;
            }

            if (
                await TogetherAsync(nanos, ReduceOperator.Max) is not { } slowest
                || await TogetherAsync(first + last, ReduceOperator.Sum) is not { } wrong
            )
            {
                return _last;
            }

            measured(new MeasuredSize(bytes, TimeSpan.FromMicroseconds(slowest / 1e3 / terms.Rounds), wrong));
        }

        return _last;
    }

    // Wrong elements of one operation; -1: it did not end well.
    private async ValueTask<long> CheckedAsync(Memory<byte> vector)
    {
        bool isFilled = await AsideAsync(vector, Filled) >= 0;
        return isFilled && await IsDoneAsync(CallAsync(vector)) ? await AsideAsync(vector, Wrong) : -1;
    }

    private async ValueTask<long> TimedAsync(Memory<byte> vector)
    {
        if (!await IsDoneAsync(group.BarrierAsync()))
        {
            return -1;
        }

        long begun = server.Loop.ReadClock();
        for (int round = 0; round < terms.Rounds; round++)
        {
            if (!await IsDoneAsync(CallAsync(vector)))
            {
                return -1;
            }
        }

        return server.Loop.ReadClock() - begun;
    }

    private async ValueTask<long?> TogetherAsync(long number, ReduceOperator operation)
    {
        BinaryPrimitives.WriteInt64LittleEndian(_number, number);
        return await IsDoneAsync(group.AllReduceAsync(_number, ElementType.Int64, operation))
            ? BinaryPrimitives.ReadInt64LittleEndian(_number)
            : null;
    }

    private async ValueTask<bool> IsDoneAsync(ValueTask<CollectiveResult> operation)
    {
        _last = await operation;
        return _last.IsDone;
    }

    private ValueTask<CollectiveResult> CallAsync(Memory<byte> vector) =>
        terms.Kind switch
        {
            OperationKind.AllReduce => group.AllReduceAsync(vector, terms.Type, terms.Operator),
            OperationKind.Reduce => group.ReduceAsync(0, vector, terms.Type, terms.Operator),
            OperationKind.Broadcast => group.BroadcastAsync(0, vector),
            OperationKind.ReduceScatter => group.ReduceScatterAsync(vector, terms.Type, terms.Operator),
            OperationKind.AllGather => group.AllGatherAsync(vector),
            _ => group.BarrierAsync(),
        };

    private async ValueTask<long> AsideAsync(
        Memory<byte> vector,
        Func<(VectorModel, Memory<byte>), CancellationToken, long> work
    )
    {
        OffloadResult<long> result = await server.Work.OffloadAsync(work, (_model, vector), Aside);
        if (result.IsDone)
        {
            return result.Value;
        }

        string words = $"{server.Coordinate} could not look at its vector ({result.Status})";
        _last = new CollectiveResult(CollectiveStatus.Closed, server.Coordinate, words);
        return -1;
    }

    private static long Filled((VectorModel Model, Memory<byte> Vector) given, CancellationToken cancel)
    {
        given.Model.Fill(given.Vector.Span);
        return 0;
    }

    private static long Wrong((VectorModel Model, Memory<byte> Vector) given, CancellationToken cancel) =>
        given.Model.WrongOf(given.Vector.Span);
}
