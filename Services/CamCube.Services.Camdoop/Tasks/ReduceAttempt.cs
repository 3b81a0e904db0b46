using System.Buffers;
using System.Text;
using CamCube.Services.Camdoop.Assemblies;
using CamCube.Services.Camdoop.Functions;
using CamCube.Services.Camdoop.Plans;
using CamCube.Services.Camdoop.Records;
using CamCube.Services.Camdoop.Vertices;
using CamCube.Services.Camdoop.Wire;
using CamCube.Services.Camdoop.Work;
using CamCube.Services.Files;
using CamCube.Trees;

namespace CamCube.Services.Camdoop.Tasks;

/// <summary>One attempt at a reduce: takes the pairs of its trees as they come, and writes what its function makes of
/// them. Loop only.</summary>
internal sealed class ReduceAttempt : TaskAttempt
{
    // As much is made text of before anything else has its turn.
    private const int BatchBytes = 64 << 10;

    // So much a function in C# may give for a window of pairs, however few are sorted at once.
    private const int LeastLines = 1 << 20;
    private readonly PullTerms _pullTerms;
    private readonly PairFeed _feed = new();
    private readonly byte[] _separator;
    private readonly ArrayBufferWriter<byte> _batch = new(BatchBytes);
    private OutputFile? _writer;
    private byte[] _key = [];
    private int _keyLength = -1;
    private readonly IPairReducer? _reducer;
    private FunctionReduce? _function;
    private readonly Pace _pace;
    private bool _isComplete;
    private long _groups;
    private long _taken;

    /// <summary>An attempt, which begins when it is run.</summary>
    /// <param name="terms">What tasks of the server have in common.</param>
    /// <param name="job">The job.</param>
    /// <param name="order">Which attempt at which reduce.</param>
    /// <param name="pullTerms">How its pulls share links.</param>
    /// <param name="onChanged">Told when its stage changes.</param>
    public ReduceAttempt(TaskTerms terms, Job job, TaskOrder order, PullTerms pullTerms, Action onChanged)
        : base(terms, job, order, onChanged)
    {
        _pullTerms = pullTerms with { StandsIn = true };
        _reducer =
            job.Description.Reduce.Kind == JobFunctionKind.Aggregate
                ? new AggregateReducer(job.Record.MostRecord)
                : null;
        _pace = new Pace(terms.Server, job.Description.ReduceRate);
        JobText text = job.Description.Text;
        bool isProgram = job.Description.Reduce.Kind == JobFunctionKind.Program;
        _separator = Encoding.UTF8.GetBytes(isProgram ? text.ReduceInputSeparator : text.ReduceOutputSeparator);
    }

    /// <summary>Runs it.</summary>
    public async ValueTask RunAsync()
    {
        if (!Terms.Files.IsAvailable)
        {
            Fail(new SinkEnd("the file store does not run here", IsInnocent: true));
            return;
        }

        _writer = new OutputFile(Terms, Job, Order.Task, Job.RootOf(Order.Task), MostLine);
        Begin();
        Pull();
        SinkEnd? end = await ReduceAsync(_writer) ?? await CompleteAsync();
        _feed.Dispose();
        if (Cancel.IsCancellationRequested)
        {
            Release();
        }
        else if (end is null)
        {
            Become(TaskStage.Ready);
        }
        else
        {
            Fail(end);
        }
    }

    /// <summary>Gives its file the name, and puts its pairs where they go.</summary>
    /// <param name="mayPut">Whether the job's tracker was heard lately.</param>
    public ValueTask CommitAsync(Func<bool> mayPut) => _writer is { } writer ? CommitAsync(writer, mayPut) : default;

    /// <inheritdoc/>
    protected override void Release()
    {
        _feed.Wake();
        _feed.Dispose();
        _writer?.Drop();
        _writer = null;
    }

    /// <inheritdoc/>
    protected override void Count()
    {
        Terms.Counters.Reduced.Add();
        Terms.Counters.Taken.Add(InputBytes);
        Terms.Counters.Output.Add(OutputBytes);
    }

    private async ValueTask<SinkEnd?> CompleteAsync()
    {
        SinkEnd? end = _writer is { } file ? await file.CompleteAsync() : null;
        OutputBytes = _writer?.Bytes ?? 0;
        return end;
    }

    private void Pull()
    {
        bool combines = TaskTerms.CombinesOnTheWay(Job);
        int most = Job.Record.MostRecord;
        int reduce = Order.Task;
        for (int tree = 0; tree < Job.Trees; tree++)
        {
            VertexId root = Job.VertexOf(reduce, tree, Job.RootOf(reduce));
            _feed.Add(
                (more, fail) =>
                    PulledRun.Begin(
                        s => Terms.Pulls.Pull(root, _pullTerms, s),
                        PairPull.OfVertex,
                        most,
                        combines,
                        [],
                        more,
                        fail
                    )
            );
        }
    }

    private async ValueTask<SinkEnd?> ReduceAsync(OutputFile writer)
    {
        JobFunction reduce = Job.Description.Reduce;
        if (reduce.Kind == JobFunctionKind.Function)
        {
            return await Terms.Functions.LoadAsync(Job) is { } unfit ? unfit
                : Terms.Functions.Find(Job) is { } functions ? await ReduceAsync(writer, functions)
                : SinkEnd.NoMore;
        }

        if (reduce.Kind != JobFunctionKind.Program)
        {
            return await GiveAsync(text => WriteAsync(writer, text));
        }

        return await RunProgramAsync(
            ProgramUse.Reduce,
            reduce,
            suffix: "",
            TaskEnvironment.OfReduce(Job, Order.Task, Order.Attempt),
            GiveAsync,
            text => WriteAsync(writer, text)
        );
    }

    // By a function in C#, a window of pairs at a time.
    private async ValueTask<SinkEnd?> ReduceAsync(OutputFile writer, FunctionSet functions)
    {
        string separator = Job.Description.Text.ReduceOutputSeparator;
        _function = new FunctionReduce(functions, separator, Math.Max(LeastLines, Job.Record.SortBytes), Counters);
        while (!Cancel.IsCancellationRequested)
        {
            bool isOver = !Fill() && _feed.IsOver;
            if (isOver && _feed.Wrong is { } wrong)
            {
                return WrongPairs(wrong);
            }

            await _pace.TakeAsync(Taken());
            if (_function.IsEmpty && !isOver)
            {
                await _feed.Changed.WaitAsync().ConfigureAwait(false);
                continue;
            }

            string? words = await OffLoop.RunAsync(
                Terms.Server,
                (_function, isOver),
                static s => s._function.Run(s.isOver),
                _function.Bytes,
                functions: functions
            );
            if (words is not null)
            {
                return new SinkEnd(words, IsInnocent: false) { IsFatal = words != OffLoop.Stopped };
            }

            if (_function.Lines is { IsEmpty: false } lines && await WriteAsync(writer, lines) is { } end)
            {
                return end;
            }

            _function.Clear();
            if (isOver)
            {
                return null;
            }
        }

        return null;
    }

    // All pairs as lines, until nobody wants more.
    private async ValueTask<SinkEnd?> GiveAsync(TextTaker take)
    {
        while (!Cancel.IsCancellationRequested)
        {
            if (!Fill() && _batch.WrittenCount == 0)
            {
                if (_reducer?.Wrong is { } cannot)
                {
                    return new SinkEnd(cannot, IsInnocent: false);
                }

                if (_feed.IsOver && !_isComplete && _reducer is not null)
                {
                    _isComplete = true;
                    _reducer.Complete(_batch);
                    continue;
                }

                if (_feed.IsOver)
                {
                    return _feed.Wrong is { } wrong ? WrongPairs(wrong) : null;
                }

                await _feed.Changed.WaitAsync().ConfigureAwait(false);
                continue;
            }

            await _pace.TakeAsync(Taken());
            SinkEnd? end = await take(_batch.WrittenMemory);
            _batch.ResetWrittenCount();
            if (end is not null)
            {
                return end;
            }
        }

        return null;
    }

    // Every attempt would get the same ones.
    private static SinkEnd WrongPairs(string words) => new(words, IsInnocent: false) { IsFatal = true };

    // False: there is no more now.
    private bool Fill()
    {
        long records = 0;
        bool isFull = false;
        while (!isFull && _feed.TryPeek(out ReadOnlySpan<byte> key, out ReadOnlySpan<byte> value))
        {
            bool isNew = CountGroup(key);
            if (
                !PairMaker.TryTurnBack(
                    Job.Description.Text,
                    key,
                    value,
                    out ReadOnlySpan<byte> first,
                    out ReadOnlySpan<byte> second
                )
            )
            {
                _feed.Fail("a pair has no key, or one that is longer than the pair");
                break;
            }

            if (_function is not null)
            {
                _function.Add(first, second, isNew);
            }
            else if (_reducer is not null)
            {
                _reducer.Add(first, second, _batch);
            }
            else
            {
                _batch.Write(first);
                _batch.Write(_separator);
                _batch.Write(second);
                _batch.Write("\n"u8);
            }

            int length = RecordFormat.LengthOf(key.Length, value.Length);
            InputBytes += length;
            _taken += length;
            _feed.Take();
            records++;
            isFull = _batch.WrittenCount >= BatchBytes || _function is { IsFull: true };
        }

        if (records > 0)
        {
            Counters.Add("Reduce input records", records);
            Counters.Add("Reduce input groups", _groups);
            _groups = 0;
        }

        return isFull;
    }

    // Bytes of pairs since it was asked last.
    private long Taken()
    {
        (long taken, _taken) = (_taken, 0);
        return taken;
    }

    // Whether it is another than the one before.
    private bool CountGroup(ReadOnlySpan<byte> key)
    {
        if (_keyLength >= 0 && key.SequenceEqual(_key.AsSpan(0, _keyLength)))
        {
            return false;
        }

        if (_key.Length < key.Length)
        {
            _key = new byte[2 * key.Length];
        }

        key.CopyTo(_key);
        _keyLength = key.Length;
        _groups++;
        return true;
    }

    private async ValueTask<SinkEnd?> WriteAsync(OutputFile writer, ReadOnlyMemory<byte> text)
    {
        Counters.Add("Reduce output records", text.Span.Count((byte)'\n'));
        return await writer.WriteAsync(text);
    }
}
