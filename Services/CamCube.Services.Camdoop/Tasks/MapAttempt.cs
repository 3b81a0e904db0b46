using CamCube.Services.Camdoop.Assemblies;
using CamCube.Services.Camdoop.Inputs;
using CamCube.Services.Camdoop.Lines;
using CamCube.Services.Camdoop.Outputs;
using CamCube.Services.Camdoop.Plans;
using CamCube.Services.Camdoop.Records;
using CamCube.Services.Camdoop.Wire;
using CamCube.Services.Camdoop.Work;
using CamCube.Services.Files;

namespace CamCube.Services.Camdoop.Tasks;

/// <summary>One attempt at a map task. Loop only.</summary>
internal sealed class MapAttempt : TaskAttempt
{
    // Pairs are in memory twice where they are made one of two runs, or their memory grows.
    private const int Copies = 2;
    private static readonly TimeSpan RoomAgain = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan RoomTime = TimeSpan.FromSeconds(10);
    private readonly Action _onLost;
    private OutputFile? _writer;
    private IMemoryClaim? _room;
    private FunctionSet? _functions;
    private int _combined;

    /// <summary>An attempt, which begins when it is run.</summary>
    /// <param name="terms">What tasks of the server have in common.</param>
    /// <param name="job">The job.</param>
    /// <param name="order">Which attempt at which task.</param>
    /// <param name="onChanged">Told when its stage changes.</param>
    /// <param name="onLost">Told when what it gave is here no more: whoever reads it is to ask anew.</param>
    public MapAttempt(TaskTerms terms, Job job, TaskOrder order, Action onChanged, Action onLost)
        : base(terms, job, order, onChanged) => _onLost = onLost;

    /// <summary>What it gave, once it is ready; null: not yet, or it is a file.</summary>
    public MapOutput? Output { get; private set; }

    /// <summary>Runs it.</summary>
    public async ValueTask RunAsync()
    {
        if (!await Terms.MapSlots.TakeAsync(Cancel))
        {
            return;
        }

        Begin();
        SinkEnd? end = await MakeRoomAsync() ?? await MapAsync();
        if (_functions is not { IsLost: true })
        {
            _room?.Release();
        }

        Terms.MapSlots.Leave();
        if (Cancel.IsCancellationRequested)
        {
            // Nobody has seen what it gave.
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

    /// <summary>Gives its file the name, and puts its pairs where they go; of a job without reduces.</summary>
    /// <param name="mayPut">Whether the job's tracker was heard lately.</param>
    public async ValueTask CommitAsync(Func<bool> mayPut)
    {
        if (_writer is { } writer)
        {
            await CommitAsync(writer, mayPut);
        }
    }

    /// <inheritdoc/>
    protected override void Release()
    {
        if (Output is { } output)
        {
            Output = null;
            output.Release();
            _onLost();
        }

        _writer?.Drop();
        _writer = null;
    }

    /// <inheritdoc/>
    protected override void Count()
    {
        Terms.Counters.Mapped.Add();
        Terms.Counters.Input.Add(InputBytes);
        (Job.IsMapOnly ? Terms.Counters.Output : Terms.Counters.Intermediate).Add(OutputBytes);
    }

    // Others may have so much that this one waits: all servers of a process share its memory.
    private async ValueTask<SinkEnd?> MakeRoomAsync()
    {
        long until = Terms.Server.NowNanos + (long)RoomTime.TotalNanoseconds;
        while (!Job.IsMapOnly && !Cancel.IsCancellationRequested)
        {
            if (Terms.Server.Memory.TryClaim("sorting", (long)Copies * Job.Record.SortBytes, out _room))
            {
                break;
            }

            if (Terms.Server.NowNanos >= until)
            {
                return new SinkEnd(
                    "there is no memory to sort pairs in (CamCube:Memory, CamCube:Services:camdoop:SortBytes)",
                    IsInnocent: true
                );
            }

            if (!await Terms.Server.DelayAsync(RoomAgain))
            {
                return new SinkEnd(OffLoop.Stopped, IsInnocent: true);
            }
        }

        return null;
    }

    private async ValueTask<SinkEnd?> MapAsync()
    {
        if (!Terms.Files.IsAvailable)
        {
            return new SinkEnd("the file store does not run here", IsInnocent: true);
        }

        if (Job.HasFunctions && await Terms.Functions.LoadAsync(Job) is { } unfit)
        {
            return unfit;
        }

        _functions = Terms.Functions.Find(Job);
        Split split = Job.Splits[Order.Task];
        if (Job.IsMapOnly)
        {
            Coordinate home = Terms.Server.Shape.At(split.Home);
            _writer = new OutputFile(Terms, Job, Order.Task, home, MostLine);
        }

        JobText text = Job.Description.Text;
        using SplitReader input = await SplitReader.OpenAsync(
            Terms.Server,
            Terms.Files.Value,
            split,
            RecordEnd.Of(text),
            LineChanger.NeedsOffsets(text)
        );
        MapSink sink = _writer is { } file
            ? new FileSink(file, Job.Description.Text.MapOutputSeparator)
            : new SortingSink(
                Job,
                _functions,
                Job.Description.Combine is { Kind: JobFunctionKind.Program } ? CombineAsync : null,
                Terms.Outputs,
                OnBroken,
                Terms.Mistake == CamdoopMistake.CutsElsewhereAgain ? 300 + (100 * Order.Attempt) : 0
            );
        SinkEnd? end = await FeedAsync(input, sink);
        end = end is null && !Cancel.IsCancellationRequested ? await CompleteAsync(sink) : end;
        if (_functions is not { IsLost: true })
        {
            sink.Dispose();
        }

        return end;
    }

    private async ValueTask<SinkEnd?> CompleteAsync(MapSink sink)
    {
        string? wrong = await OffLoop.RunAsync(
            Terms.Server,
            sink,
            static s =>
            {
                s.Complete();
                return s.Wrong;
            },
            Job.Record.SortBytes,
            functions: _functions
        );
        if (wrong is not null)
        {
            return EndOf(wrong);
        }

        SinkEnd? end = await sink.FlushAsync();
        if (end is null && _writer is { } written)
        {
            end = await written.CompleteAsync();
            OutputBytes = written.Bytes;
        }

        if (end is null && sink is SortingSink sorted)
        {
            Output = sorted.Take();
            OutputBytes = Output.Length;
            Sum = sorted.Sum();
            Counters.Add("Map output records", sorted.Pairs);
            Counters.Add("Map output bytes", sorted.Bytes);
            if (TaskTerms.CombinesInProcess(Job))
            {
                Counters.Add("Combine input records", sorted.Pairs);
                Counters.Add("Combine output records", sorted.SortedPairs);
            }
        }

        return end;
    }

    private async ValueTask<SinkEnd?> FeedAsync(SplitReader input, MapSink sink)
    {
        JobFunction map = Job.Description.Map;
        if (map.Kind == JobFunctionKind.Function)
        {
            var function = new FunctionMap(
                _functions!,
                sink,
                new SortLimits(Job.Record.SortBytes, MostLine),
                LineChanger.EndForMap(Job.Description),
                Counters
            );
            SinkEnd? end = await GiveAsync(input, bytes => MapAsync(function, sink, bytes));
            return end is null && !Cancel.IsCancellationRequested
                ? await MapAsync(function, sink, static f => f.Complete(), Job.Record.SortBytes)
                : end;
        }

        if (map.Kind != JobFunctionKind.Program)
        {
            return await GiveAsync(input, bytes => TakeAsync(sink, bytes));
        }

        return await RunProgramAsync(
            ProgramUse.Map,
            map,
            suffix: "",
            TaskEnvironment.OfMap(Job, Order.Task, Order.Attempt),
            program => GiveAsync(input, program),
            bytes => TakeAsync(sink, bytes)
        );
    }

    private async ValueTask<SinkEnd?> MapAsync(FunctionMap function, MapSink sink, ReadOnlyMemory<byte> text)
    {
        SinkEnd? end = null;
        for (function.Add(text.Span); function.Left > 0 && end is null && !Cancel.IsCancellationRequested; )
        {
            end = await MapAsync(function, sink, static f => f.Run(), function.Left);
        }

        return end;
    }

    private async ValueTask<SinkEnd?> MapAsync(
        FunctionMap function,
        MapSink sink,
        Func<FunctionMap, string?> work,
        long bytes
    )
    {
        string? wrong = await OffLoop.RunAsync(Terms.Server, function, work, bytes, functions: _functions);
        return wrong is null ? await sink.FlushAsync() : EndOf(wrong);
    }

    // Another attempt would hear the same of a function in C#, and lose another thread to one that does not return.
    private SinkEnd EndOf(string wrong) =>
        new(wrong, IsInnocent: false) { IsFatal = _functions is not null && wrong != OffLoop.Stopped };

    // A combiner that is a program: it gets a sorted run, and what it makes of that is sorted again, as it may say
    // anything.
    private async ValueTask<(SortedRun? Run, SinkEnd? End)> CombineAsync(SortedRun run)
    {
        var sink = new RecombiningSink(Job, _functions);
        (SortedRun? Run, SinkEnd? End) made = await CombineAsync(run, sink);
        if (_functions is not { IsLost: true })
        {
            sink.Dispose();
        }

        return made;
    }

    private async ValueTask<(SortedRun? Run, SinkEnd? End)> CombineAsync(SortedRun run, RecombiningSink sink)
    {
        var text = new RunText(Job, run);
        SinkEnd? end = await RunProgramAsync(
            ProgramUse.Combine,
            Job.Description.Combine!,
            $"-combine-{_combined++}",
            TaskEnvironment.OfMap(Job, Order.Task, Order.Attempt),
            program => GiveAsync(text, program),
            bytes => TakeAsync(sink, bytes)
        );
        if (end is not null)
        {
            return (null, end with { Words = $"its combiner: {end.Words}" });
        }

        string? words = await OffLoop.RunAsync(
            Terms.Server,
            sink,
            static s =>
            {
                s.Complete();
                return s.Wrong;
            },
            run.Bytes.Length,
            functions: _functions
        );
        Counters.Add("Combine input records", text.Pairs);
        Counters.Add("Combine output records", sink.Pairs);
        return words is null ? (sink.ToRun(), null) : (null, EndOf(words));
    }

    // All lines of the run, until nobody wants more.
    private async ValueTask<SinkEnd?> GiveAsync(RunText text, TextTaker take)
    {
        while (!Cancel.IsCancellationRequested && text.Next() is { IsEmpty: false } lines)
        {
            if (await take(lines) is { } end)
            {
                return end;
            }
        }

        return null;
    }

    // All records of the split, until nobody wants more.
    private async ValueTask<SinkEnd?> GiveAsync(SplitReader input, TextTaker take)
    {
        LineChanger? changer = LineChanger.OfInput(Job.Description, MostLine);
        bool isLast = false;
        while (!isLast && !Cancel.IsCancellationRequested)
        {
            FilePart part = await input.ReadAsync();
            if (part.Status != FileStatus.Done)
            {
                bool isGone = part.Status is FileStatus.NotFound or FileStatus.IsDirectory;
                string what = input.Wrong ?? (isGone ? "is gone" : "cannot be read now");
                return new SinkEnd($"its input {Job.Splits[Order.Task].Path} {what}", IsInnocent: !isGone);
            }

            ReadOnlyMemory<byte> text = part.Bytes;
            isLast = text.IsEmpty;
            InputBytes += text.Length;
            Counters.Add("Map input bytes", text.Length);
            if (changer is null)
            {
                Counters.Add("Map input records", text.Span.Count((byte)'\n'));
            }
            else if (await ChangeAsync(changer, text, input.Offset) is { } wrong)
            {
                return wrong;
            }

            text = changer?.Text ?? text;
            if (!text.IsEmpty && await take(text) is { } end)
            {
                return end;
            }
        }

        return null;
    }

    private async ValueTask<SinkEnd?> ChangeAsync(LineChanger changer, ReadOnlyMemory<byte> text, long offset)
    {
        long before = changer.Lines;
        string? wrong = await OffLoop.RunAsync(
            Terms.Server,
            (changer, text, offset),
            static s =>
            {
                s.changer.Clear();
                if (s.text.IsEmpty)
                {
                    s.changer.Complete();
                }
                else
                {
                    s.changer.Add(s.text, s.offset);
                }

                return s.changer.Wrong;
            },
            text.Length
        );
        Counters.Add("Map input records", changer.Lines - before);
        return wrong is null ? null : new SinkEnd(wrong, IsInnocent: wrong == OffLoop.Stopped);
    }

    private async ValueTask<SinkEnd?> TakeAsync(MapSink sink, ReadOnlyMemory<byte> text)
    {
        string? wrong = await OffLoop.RunAsync(
            Terms.Server,
            (sink, text),
            static s =>
            {
                s.sink.Text(s.text.Span);
                return s.sink.Wrong;
            },
            text.Length,
            functions: _functions
        );
        return wrong is null ? await sink.FlushAsync() : EndOf(wrong);
    }

    // It was ready, and its output is lost: as if its server had been.
    private void OnBroken(string words) =>
        Fail(new SinkEnd($"its output cannot be read back from the disk: {words}", IsInnocent: true));
}
