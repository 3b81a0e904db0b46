using CamCube.Services.Camdoop.Records;

namespace CamCube.Services.Camdoop.Assemblies;

/// <summary>The functions of one attempt, or of one vertex: an instance of each, made when it is first needed. Its
/// functions are called by one thread at a time, off the loop; the rest is for any thread.</summary>
/// <param name="functions">The job's.</param>
/// <param name="deadline">How long a window of records may take.</param>
/// <param name="isOrdered">Whether parts of keys are sorted by.</param>
/// <param name="isStuck">A mistake that is made on purpose: they never return.</param>
internal sealed class FunctionSet(JobFunctions functions, TimeSpan deadline, bool isOrdered, bool isStuck)
    : IPairCombiner
{
    private IMapper? _mapper;
    private ICombiner? _combiner;
    private IReducer? _reducer;
    private IPartitioner? _partitioner;
    private volatile Type? _running;

    /// <summary>Which of them are there.</summary>
    public JobFunctions Functions => functions;

    /// <summary>How long a window of records may take.</summary>
    public TimeSpan Deadline => deadline;

    /// <summary>A mistake that is made on purpose: they never return.</summary>
    public bool IsStuck => isStuck;

    /// <summary>What is wrong, in words: the first that one of them did; null: nothing. What foreign code catches is
    /// wrong all the same.</summary>
    public string? Wrong { get; private set; }

    /// <summary>A thread may be with them for ever, and with all that it was given: that is not used again. Loop
    /// only.</summary>
    public bool IsLost { get; set; }

    /// <summary>Words for that none returned in time.</summary>
    public string LateWords =>
        $"{_running?.ToString() ?? "a function of the job"} did not return within {deadline.TotalSeconds:0.###} s "
        + "(CamCube:Services:camdoop:FunctionTime)";

    /// <summary>Maps a record.</summary>
    public void Map(ReadOnlySpan<byte> record, IEmitter output)
    {
        Type? before = Enter(functions.Mapper);
        try
        {
            (_mapper ??= functions.New<IMapper>(functions.Mapper)).Map(record, output);
        }
        catch (Exception e)
        {
            throw Failure(e);
        }

        Leave(before);
    }

    /// <summary>There are no more records to map.</summary>
    public void CompleteMap(IEmitter output)
    {
        Type? before = Enter(functions.Mapper);
        try
        {
            (_mapper ??= functions.New<IMapper>(functions.Mapper)).Complete(output);
        }
        catch (Exception e)
        {
            throw Failure(e);
        }

        Leave(before);
    }

    /// <summary>Reduces values of a key.</summary>
    public void Reduce(ReadOnlySpan<byte> key, ReduceValues values, IEmitter output)
    {
        Type? before = Enter(functions.Reducer);
        try
        {
            (_reducer ??= functions.New<IReducer>(functions.Reducer)).Reduce(key, values, output);
        }
        catch (Exception e)
        {
            throw Failure(e);
        }

        Leave(before);
    }

    /// <summary>There are no more keys.</summary>
    public void CompleteReduce(IEmitter output)
    {
        Type? before = Enter(functions.Reducer);
        try
        {
            (_reducer ??= functions.New<IReducer>(functions.Reducer)).Complete(output);
        }
        catch (Exception e)
        {
            throw Failure(e);
        }

        Leave(before);
    }

    /// <summary>The reduce of a key.</summary>
    public int Partition(ReadOnlySpan<byte> key, int reduces)
    {
        Type? before = Enter(functions.Partitioner);
        int reduce;
        try
        {
            reduce = (_partitioner ??= functions.New<IPartitioner>(functions.Partitioner)).Partition(key, reduces);
        }
        catch (Exception e)
        {
            throw Failure(e);
        }

        Leave(before);
        return (uint)reduce < (uint)reduces
            ? reduce
            : throw Failure(
                new JobFunctionException($"{functions.Partitioner} gave reduce {reduce} of {reduces}: 0 is the first")
            );
    }

    /// <inheritdoc/>
    /// <exception cref="JobFunctionException">It failed, or what it gave cannot be.</exception>
    public int Combine(ReadOnlySpan<byte> key, ReadOnlySpan<byte> left, ReadOnlySpan<byte> right, Span<byte> result)
    {
        // A key that is too long to travel, or is sorted by parts, goes before each value. Of keys that compare equal
        // the first one stays.
        if (
            !KeyForm.TryRead(key, left, isOrdered, out ReadOnlySpan<byte> whole, out ReadOnlySpan<byte> first)
            || !KeyForm.TryRead(key, right, isOrdered, out _, out ReadOnlySpan<byte> second)
            || left.Length - first.Length > result.Length
        )
        {
            return -1;
        }

        int prefix = left.Length - first.Length;
        left[..prefix].CopyTo(result);
        Span<byte> room = result[prefix..];
        Type? before = Enter(functions.Combiner);
        int length;
        try
        {
            _combiner ??= functions.New<ICombiner>(functions.Combiner);
            length = _combiner.Combine(whole, first, second, room);
        }
        catch (Exception e)
        {
            throw Failure(e);
        }

        Leave(before);
        return (uint)length <= (uint)room.Length
            ? prefix + length
            : throw Failure(
                new JobFunctionException(
                    $"{functions.Combiner} gave a value of {length:N0} bytes, and there is room for {room.Length:N0} "
                        + "(CamCube:Services:camdoop:MostCombined)"
                )
            );
    }

    private Type? Enter(Type? type)
    {
        Type? before = _running;
        _running = type;
        return before;
    }

    private void Leave(Type? before) => _running = before;

    private JobFunctionException Failure(Exception error)
    {
        Wrong ??= error is JobFunctionException known
            ? known.Message
            : $"{_running} failed: {JobFunctions.Describe(error)}";
        return new JobFunctionException(Wrong);
    }
}
