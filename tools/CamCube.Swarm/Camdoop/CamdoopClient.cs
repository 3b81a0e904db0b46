using System.Buffers;
using System.Globalization;
using System.Text;
using CamCube.Services.Camdoop;
using CamCube.Services.Files;
using CamCube.Services.KeyValue;
using CamCube.Simulator.Swarm;

namespace CamCube.Swarm.Camdoop;

/// <summary>One client of MapReduce: begins a job, waits until it is over, whoever of its servers is stopped, and reads
/// what it gave.</summary>
internal sealed class CamdoopClient(SwarmCube cube, CamdoopSettings settings, CamdoopTruth truth, int name)
{
    private const int CancelsOf = 8;
    private readonly Random _random = SwarmRandom.Of(cube.Options.Seed, $"camdoop client {name}");
    private Task<bool>? _step;
    private int _at;
    private int _run;
    private long _pauseUntil;
    private int _jobs;
    private JobDescription? _job;
    private string? _name;
    private bool _cancels;
    private bool _isBeginning;
    private JobState? _state;

    /// <summary>What came of jobs.</summary>
    public SwarmTally Tally { get; } = new();

    /// <summary>A job is begun, goes on, or is read.</summary>
    public bool IsBusy => _job is not null;

    /// <summary>For messages: what it does.</summary>
    public string Doing => $"client {name}: {_name ?? "a job that is begun"} of {_job?.Output}, {_state?.Phase}";

    /// <summary>Goes on. Does one thing at a time, each through some server.</summary>
    /// <param name="mayBegin">Another job may be begun.</param>
    public void Step(bool mayBegin)
    {
        if (_step is { IsCompleted: false } && cube.StopsOf(_at) == _run && cube.Cube.IsRunning(_at))
        {
            return;
        }

        if (_isBeginning)
        {
            // Whether there is such a job is not known: another gets another output.
            _job = null;
        }

        (_step, _isBeginning) = (null, false);
        long now = cube.Cube.NowNanos;
        int rank = _random.Next(cube.Cube.Shape.Count);
        if (now < _pauseUntil || (!IsBusy && !mayBegin) || !cube.Truth.Runs(rank) || cube.Cube.IsPaused(rank))
        {
            return;
        }

        if (
            ServiceAt(rank) is not { } camdoop
            || RunningAt<FilesService>(rank) is not { } files
            || RunningAt<KeyValueService>(rank) is not { } store
        )
        {
            return;
        }

        if (!IsBusy)
        {
            _job = settings.Draw(_random, $"/out/{name}-{_jobs}");
            _jobs++;
            (_name, _state, _cancels) = (null, null, _random.Next(CancelsOf) == 0);
        }

        (_at, _run) = (rank, cube.StopsOf(rank));
        _pauseUntil = now + (_random.Next(1, 200) * 1_000_000L);
        var ended = new TaskCompletionSource<bool>();
        _step = ended.Task;
        int run = _run;
        cube.Cube.ServerOf<CamdoopService>(rank)
            .Loop.Run(async () =>
            {
                await GoOnAsync(camdoop, files, store, () => cube.StopsOf(rank) == run);
                ended.TrySetResult(true);
            });
    }

    /// <summary>The service of a server; null: it is stopped, or has faulted and is started again.</summary>
    public CamdoopService? ServiceAt(int rank)
    {
        try
        {
            return cube.Cube.IsRunning(rank) ? cube.Cube.Service<CamdoopService>(rank) : null;
        }
        catch (ServiceUnavailableException)
        {
            return null;
        }
    }

    private T? RunningAt<T>(int rank)
        where T : class, ICamCubeService
    {
        try
        {
            return cube.Cube.Service<T>(rank);
        }
        catch (ServiceUnavailableException)
        {
            return null;
        }
    }

    private async ValueTask GoOnAsync(
        CamdoopService camdoop,
        FilesService files,
        KeyValueService store,
        Func<bool> isHere
    )
    {
        if (!truth.HasInput)
        {
            await truth.PutAsync(files);
            return;
        }

        if (_name is null)
        {
            _isBeginning = true;
            JobAnswer begun = await camdoop.SubmitAsync(_job!);
            if (isHere())
            {
                _isBeginning = false;
                _name = begun.State?.Name;
                Tally.Add($"camdoop begun: {begun.Status}");

                // As above.
                _job = _name is null ? null : _job;
            }

            return;
        }

        if (_state is not { IsOver: true })
        {
            JobAnswer found =
                _cancels && _random.Next(4) == 0 ? await camdoop.CancelAsync(_name) : await camdoop.FindAsync(_name);
            if (isHere())
            {
                truth.CheckAnswer(found, _name, _cancels);
                _state = found.State ?? _state;
            }

            return;
        }

        bool isRead =
            _state.Phase == JobPhase.Done
                ? await ReadAsync(files, _job!, isHere) && await HasPairsAsync(store, _job!, isHere)
                : await IsGoneAsync(files, isHere);
        if (isRead && isHere())
        {
            Tally.Add($"camdoop {_state.Phase}");
            Tally.Add("camdoop map tasks lost", _state.Maps.Lost);
            Tally.Add("camdoop reduces lost", _state.Reduces.Lost);
            _job = null;
        }
    }

    // False: not now.
    private async ValueTask<bool> ReadAsync(FilesService files, JobDescription job, Func<bool> isHere)
    {
        List<string> parts = [];
        int count = job.Reduces > 0 ? job.Reduces : _state!.Maps.All;
        for (int i = 0; i < count; i++)
        {
            string path = string.Create(CultureInfo.InvariantCulture, $"{job.Output}/part-{i:00000}");
            using IFileReader reader = await files.OpenReadAsync(path);
            using var all = new MemoryStream();
            FilePart part = default;
            while (reader.Answer.Status == FileStatus.Done)
            {
                part = await reader.ReadAsync();
                if (part.Status != FileStatus.Done || part.Bytes.IsEmpty)
                {
                    break;
                }

                all.Write(part.Bytes.Span);
            }

            if (!isHere())
            {
                return false;
            }

            if (reader.Answer.Status == FileStatus.NotFound)
            {
                truth.CheckThere(false, $"{_name} is done, and there is no {path}");
                return true;
            }

            if (reader.Answer.Status != FileStatus.Done || part.Status != FileStatus.Done)
            {
                return false;
            }

            parts.Add(Encoding.UTF8.GetString(all.GetBuffer(), 0, (int)all.Length));
        }

        truth.CheckOutput(job, _state!, parts);
        return true;
    }

    // False: not now.
    private async ValueTask<bool> HasPairsAsync(KeyValueService store, JobDescription job, Func<bool> isHere)
    {
        if (job.Pairs is not { } pairs)
        {
            return true;
        }

        foreach ((string key, string count) in truth.Counts)
        {
            var value = new ArrayBufferWriter<byte>();
            KeyValueAnswer answer = await store.GetAsync(
                KeyValueKey.Of(pairs.Prefix + key, pairs.Table),
                KeyValueReads.Latest,
                value,
                null
            );
            if (!isHere() || answer.Status is not (KeyValueStatus.Done or KeyValueStatus.NotFound))
            {
                return false;
            }

            truth.CheckPair(_name!, key, count, Encoding.UTF8.GetString(value.WrittenSpan));
        }

        Tally.Add("camdoop pairs read", truth.Counts.Count);
        return true;
    }

    private async ValueTask<bool> IsGoneAsync(FilesService files, Func<bool> isHere)
    {
        FileAnswer there = await files.FindAsync(_job!.Output);
        bool isKnown = there.Status is FileStatus.Done or FileStatus.NotFound;
        if (isKnown && isHere())
        {
            truth.CheckThere(
                there.Status == FileStatus.NotFound,
                $"{_name} was cancelled, and its output {_job.Output} is there"
            );
        }

        return isKnown;
    }
}
