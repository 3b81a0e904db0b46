using CamCube.Runtime.Services;
using CamCube.Services.Distribution;
using CamCube.Simulator.Checkers;
using CamCube.Simulator.Swarm;
using CamCube.Trees;

namespace CamCube.Swarm.Distributions;

/// <summary>
/// Files that are distributed during a swarm run: from any server, to all or some, several at once, cancelled now and
/// then, with a forger among the servers in some runs, and services that are started again alone. A file is whole or
/// absent, wherever it is; who was said to have it has it; and when nothing is done to the cube any more, all members
/// get it, and nothing is left of any job.
/// </summary>
public sealed class DistributionWorkload : ISwarmWorkload
{
    /// <summary>Its name among the services of a run.</summary>
    public const string Name = "distribution";

    /// <summary>In its place: nobody looks at the sums of pieces, and one server forges some. For tests; never
    /// drawn.</summary>
    public const string Unchecked = "distribution-unchecked";

    /// <summary>In its place: the same, and nobody looks at the SHA-256 either. For tests; never drawn.</summary>
    public const string Unhashed = "distribution-unhashed";

    /// <summary>In its place: pieces that are made of others are wrong, and nobody looks. For tests; never
    /// drawn.</summary>
    public const string Miscoded = "distribution-miscoded";

    // Streams give a silent peer up after ten seconds, and a greeting as well.
    private const long SettleNanos = 25_000_000_000;

    // Who was lost until now may not be heard of before its source gives it up.
    private const long BackNanos = 8_000_000_000;
    private const int RestartOneInMillis = 300;
    private const int CancelOneInMillis = 2_000;
    private readonly DistributionSettings _settings;
    private readonly bool _mustCode;
    private readonly Random _random;
    private readonly ServiceDefinition _service;
    private readonly PromiseChecker _content = new("distribution-content"),
        _promised = new("distribution-promised"),
        _ends = new("distribution-ends"),
        _left = new("distribution-left");
    private readonly List<SentJob> _jobs = [];
    private readonly HashSet<(int Rank, string Name)> _had = [];
    private readonly SwarmTally _tally = new();
    private SwarmCube? _cube;
    private long _calmNanos = -1;
    private int _names;
    private int _looking = -1;

    /// <summary>Files of a run.</summary>
    public DistributionWorkload(SwarmOptions options)
    {
        _settings = new DistributionSettings(options);
        _random = SwarmRandom.Of(options.Seed, "distribution");
        TorusShape shape = options.ToShape();
        DistributionMistake all =
            options.Services.Contains(Unhashed)
                ? DistributionMistake.ServesUnchecked | DistributionMistake.NamesUnchecked
            : options.Services.Contains(Miscoded) ? DistributionMistake.Miscodes | DistributionMistake.NamesUnchecked
            : options.Services.Contains(Unchecked) ? DistributionMistake.ServesUnchecked
            : DistributionMistake.None;
        _mustCode = all.HasFlag(DistributionMistake.Miscodes);
        int forger = all switch
        {
            DistributionMistake.None => _settings.Forger,
            _ when _mustCode => -1,
            _ => 0,
        };
        const DistributionMistake forges = DistributionMistake.Forges | DistributionMistake.ForgesManifests;
        _service = ServiceDefinition.Of(activation => new DistributionService(activation.Server, _settings.Options)
        {
            Mistake = all | (shape.RankOf(activation.Server.Coordinate) == forger ? forges : all),
        });
    }

    /// <summary>The services that a run may name.</summary>
    public static IReadOnlyCollection<string> Names { get; } = [Name, Unchecked, Unhashed, Miscoded];

    /// <inheritdoc/>
    public IReadOnlyList<ServiceDefinition> Services => [_service];

    /// <inheritdoc/>
    public IReadOnlyList<Checker> Checkers => [_content, _promised, _ends, _left];

    /// <inheritdoc/>
    public bool IsIdle => _looking == 0;

    private long Now => _cube!.Cube.NowNanos;

    /// <summary>Whether a run has files, or one of their planted mistakes.</summary>
    public static bool IsWanted(SwarmOptions options) => options.Services.Any(Names.Contains);

    /// <inheritdoc/>
    public void Begin(SwarmCube cube) => _cube = cube;

    /// <inheritdoc/>
    public void Step(bool mayBegin)
    {
        if (mayBegin)
        {
            Open();
            Disturb();
        }
        else if (_calmNanos < 0)
        {
            _calmNanos = Now;
            for (int rank = 0; rank < _cube!.Truth.Shape.Count; rank++)
            {
                _cube.Revive(rank);
            }
        }

        _jobs.RemoveAll(HasEnded);
        if (_calmNanos >= 0 && _looking < 0 && (IsSettled(out string open) || Now - _calmNanos > SettleNanos))
        {
            IsSettled(out open);
            _left.Check(open.Length == 0, Now, () => $"{(Now - _calmNanos) / 1e9:F1} s after the last fault: {open}.");
            Look();
        }
    }

    /// <inheritdoc/>
    public void AddTo(SwarmTally tally) => tally.Add(_tally);

    private DistributionService? ServiceAt(int rank)
    {
        try
        {
            return _cube!.Cube.IsRunning(rank) ? _cube.Cube.Service<DistributionService>(rank) : null;
        }
        catch (ServiceUnavailableException)
        {
            return null;
        }
    }

    private void Open()
    {
        int rank = _random.Next(_cube!.Truth.Shape.Count);
        bool isTime = _jobs.Count < _settings.MostOpen && _random.Next(_settings.OpenOneInMillis) == 0;
        if (!isTime || !_cube.Truth.Runs(rank) || _cube.Cube.IsPaused(rank) || ServiceAt(rank) is not { } service)
        {
            return;
        }

        var job = new SentJob(rank, service, DistributionSettings.NameOf(++_names, _random));
        TorusShape shape = _cube.Truth.Shape;
        Coordinate[] members =
            _random.Next(2) == 0
                ? []
                : [.. Enumerable.Range(0, shape.Count).Where(_ => _random.Next(3) == 0).Select(shape.At)];
        byte[] bytes = _settings.BytesOf(job.Name);
        int most = Math.Clamp(TreePlan.CountOf(shape, TreeKind.Six) - 2, 0, 2),
            code = _mustCode ? most : _random.Next(most + 1);
        _jobs.Add(job);
        _cube
            .Cube.ServerOf<DistributionService>(rank)
            .Loop.Run(async () =>
            {
                string? wrong = await service.Files.PutAsync(job.Name, _names, 0, bytes, isLast: true, replaces: false);
                job.Answer = wrong is null
                    ? await service.SendAsync(new DistributionRequest(job.Name) { To = members, Code = code })
                    : new DistributionAnswer(DistributionStatus.DiskFailed, 0, wrong);
            });
        _tally.Add("files put");
        _tally.Add($"files of code {code}");
    }

    private void Disturb()
    {
        if (_jobs.Count > 0 && _random.Next(CancelOneInMillis) == 0)
        {
            SentJob job = _jobs[_random.Next(_jobs.Count)];
            if (job.Answer is { Job: > 0 } answer && !_cube!.Cube.IsPaused(job.Rank) && IsThere(job))
            {
                job.IsCancelled = true;
                _cube
                    .Cube.ServerOf<DistributionService>(job.Rank)
                    .Loop.Run(async () => await job.Service.CancelAsync(answer.Job));
            }
        }

        int rank = _random.Next(_cube!.Truth.Shape.Count);
        if (
            _settings.Restarts
            && _random.Next(RestartOneInMillis) == 0
            && _cube.Truth.Runs(rank)
            && !_cube.Cube.IsPaused(rank)
        )
        {
            _cube.Cube.RestartService(rank, _service.Id);
            _tally.Add("distribution restarted alone");
        }
    }

    private bool IsThere(SentJob job) => _cube!.Truth.Runs(job.Rank) && ServiceAt(job.Rank) == job.Service;

    private bool HasEnded(SentJob job)
    {
        if (!IsThere(job))
        {
            _tally.Add("files whose source was lost");
            return true;
        }

        if (_cube!.Cube.IsPaused(job.Rank) || job.Answer is not { } answer)
        {
            return false;
        }

        if (answer.Status != DistributionStatus.Started)
        {
            _ends.Check(answer.Status == DistributionStatus.Busy, Now, () => $"{job.Name}: {answer}.");
            _tally.Add($"files {answer.Status}");
            return true;
        }

        DistributionState state = job.State!;
        foreach (DistributionMember member in state.Members)
        {
            if (member.Stage == MemberStage.Done)
            {
                _had.Add((_cube.Truth.Shape.RankOf(member.Server), job.Name));
            }
        }

        if (state.Stage is DistributionStage.Preparing or DistributionStage.Running)
        {
            return false;
        }

        // With all servers there for a while, nobody may go without.
        bool isRight = state.Stage switch
        {
            DistributionStage.Done => true,
            DistributionStage.Cancelled => job.IsCancelled,
            DistributionStage.Incomplete => (_calmNanos < 0 || Now - _calmNanos < BackNanos)
                && state.Members.All(static m => m.Stage is MemberStage.Done or MemberStage.Lost),
            _ => false,
        };
        _ends.Check(isRight, Now, () => $"{job.Name} ended as {state.Stage} ({state.Words}): {WordsOf(state)}.");
        _tally.Add($"files {state.Stage}");
        return true;
    }

    private static string WordsOf(DistributionState state) =>
        string.Join(
            "; ",
            state
                .Members.Where(static m => m.Stage != MemberStage.Done)
                .Select(m => $"{m.Server} {m.Stage} {m.Bytes} {m.Words}")
        );

    private bool IsSettled(out string open)
    {
        open =
            _jobs.Count == 0 ? ""
            : _jobs[0].State is { } state
                ? $"{_jobs.Count} files are under way, as {state.Name} of rank {_jobs[0].Rank} ({WordsOf(state)})"
            : $"{_jobs.Count} files are to be sent";
        for (int rank = 0; rank < _cube!.Truth.Shape.Count && open.Length == 0; rank++)
        {
            if (ServiceAt(rank) is not { } service)
            {
                open = $"rank {rank} does not run";
                continue;
            }

            var terms = service.Terms;
            bool isQuiet =
                service.IsReady
                && (service.Known, service.Unclaimed, terms.Windows.InUse, terms.Transit.InUse) == (0, 0, 0, 0)
                && terms.Pulls is { Inputs: 0, Outputs: 0, SendBytes: 0, ReceiveBytes: 0 };
            open = isQuiet
                ? ""
                : $"rank {rank} knows {service.Known} jobs, keeps {service.Unclaimed} parts, "
                    + $"has {terms.Windows.InUse} and {terms.Transit.InUse} bytes "
                    + $"of pieces, {terms.Pulls.Inputs} pulls, answers {terms.Pulls.Outputs}, "
                    + $"{terms.Pulls.SendBytes} bytes to send and {terms.Pulls.ReceiveBytes} to read";
        }

        return open.Length == 0;
    }

    // All files of all servers, byte by byte.
    private void Look()
    {
        _looking = 0;
        for (int rank = 0; rank < _cube!.Truth.Shape.Count; rank++)
        {
            int at = rank;
            if (ServiceAt(rank) is not null)
            {
                _looking++;
                IServer server = _cube.Cube.ServerOf<DistributionService>(rank);
                server.Loop.Run(async () =>
                {
                    await LookAsync(server, at);
                    _looking--;
                });
            }
        }
    }

    private async ValueTask LookAsync(IServer server, int rank)
    {
        HashSet<string> there = [];
        foreach (DiskEntry entry in (await server.Disk.ListAsync()).Value ?? [])
        {
            if (FileName.WrongOf(entry.Name) is not null)
            {
                // Of a put that its source did not live to end: deleted at the next start.
                bool isUpload = entry.Name.EndsWith(FileName.Upload, StringComparison.Ordinal);
                _left.Check(isUpload, Now, () => $"rank {rank} has {entry.Name}.");
                continue;
            }

            there.Add(entry.Name);
            byte[] right = _settings.BytesOf(entry.Name),
                bytes = new byte[entry.Length];
            IDiskFile? file = (await server.Disk.OpenAsync(entry.Name, create: false)).Value;
            DiskResult<int> read = file is null ? default : await file.ReadAsync(0, bytes);
            file?.Close();
            bool isRight = read.IsDone && bytes.AsSpan().SequenceEqual(right);
            _content.Check(
                isRight,
                Now,
                () => $"rank {rank} has {entry.Name} with {entry.Length} bytes that it has not."
            );
            _tally.Add("files looked at");
        }

        foreach ((int at, string name) in _had)
        {
            if (at == rank)
            {
                _promised.Check(there.Contains(name), Now, () => $"rank {rank} was said to have {name}, and has not.");
            }
        }
    }
}
