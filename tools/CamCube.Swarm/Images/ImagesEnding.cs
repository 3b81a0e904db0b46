using CamCube.Services.Images;
using CamCube.Simulator.Checkers;
using CamCube.Simulator.Swarm;
using CamCube.Swarm.KeyValues;

namespace CamCube.Swarm.Images;

/// <summary>
/// The end of a run, when nothing is done to the cube any more and every server is back: every image and every variant
/// is read, through some server, which is part of the history; then nothing is left open anywhere.
/// </summary>
internal sealed class ImagesEnding(ImagesSettings settings, List<ImagesClient> clients)
{
    private const int Reads = 2;
    private readonly PromiseChecker _progress = new("images-progress");
    private readonly PromiseChecker _left = new("images-left");
    private readonly Queue<(int Rank, ImagesVerb Verb, string Name)> _reads = new();
    private SwarmCube? _cube;
    private Random? _random;
    private long _beganNanos = -1;
    private long _readNanos = -1;

    /// <summary>What is checked.</summary>
    public IReadOnlyList<Checker> Checkers => [_progress, _left];

    /// <summary>Whether nothing goes on any more.</summary>
    public bool IsOver { get; private set; }

    public void Begin(SwarmCube cube) => (_cube, _random) = (cube, SwarmRandom.Of(cube.Options.Seed, "images ending"));

    /// <summary>Once per virtual millisecond, from when nothing is done to the cube any more.</summary>
    public void Step()
    {
        long now = _cube!.Cube.NowNanos;
        if (_beganNanos < 0)
        {
            _beganNanos = now;
            for (int rank = 0; rank < _cube.Truth.Shape.Count; rank++)
            {
                _cube.Revive(rank);
            }

            foreach (string name in settings.Names)
            {
                Enqueue(ImagesVerb.Get, name);
                Enqueue(ImagesVerb.GetVariant, name);
            }
        }
        else if (_readNanos < 0)
        {
            Read(now);
        }
        else if (!IsOver)
        {
            LookWhatIsLeft(now);
        }
    }

    public void AddTo(SwarmTally tally) =>
        tally.Add("images all read again, ms", (_readNanos - _beganNanos) / 1_000_000);

    private void Enqueue(ImagesVerb verb, string name)
    {
        for (int i = 0; i < Reads; i++)
        {
            _reads.Enqueue((_random!.Next(_cube!.Truth.Shape.Count), verb, name));
        }
    }

    // Each is asked for until it answers.
    private void Read(long now)
    {
        bool isLate = now - _beganNanos > settings.RecoveryNanos,
            isRunning = false;
        foreach (ImagesClient client in clients)
        {
            bool wasRunning = client.IsRunning;
            if (!client.Look())
            {
                isRunning = true;
                continue;
            }

            if (wasRunning && !client.IsAnswered)
            {
                // One that began while there were faults may wait for what they took until its own time is over.
                _progress.Check(
                    !isLate || client.BeganNanos < _beganNanos,
                    now,
                    () => $"{client.Doing} ended as {client.Status}, long after the last fault."
                );
                Again(client.Image, isLate);
            }

            if (!isLate && _reads.TryDequeue(out (int Rank, ImagesVerb Verb, string Name) next))
            {
                isRunning = true;
                if (!client.Begin(next.Rank, next.Verb, next.Name))
                {
                    _reads.Enqueue(next);
                }
            }
        }

        if (!isRunning && (isLate || _reads.Count == 0))
        {
            _progress.Check(!isLate || _reads.Count == 0, now, () => $"{_reads.Count} images are not available.");
            _readNanos = now;
        }
    }

    private void Again(string name, bool isLate)
    {
        if (!isLate)
        {
            _reads.Enqueue((_random!.Next(_cube!.Truth.Shape.Count), ImagesVerb.Get, name));
            _reads.Enqueue((_random.Next(_cube.Truth.Shape.Count), ImagesVerb.GetVariant, name));
        }
    }

    private void LookWhatIsLeft(long now)
    {
        string open = "";
        for (int rank = 0; rank < _cube!.Truth.Shape.Count; rank++)
        {
            ImagesService? store = ImagesClient.StoreAt(_cube, rank);
            open = store is null || store.Open != default ? $"{_cube.Truth.Shape.At(rank)} has {store?.Open}" : open;
        }

        bool isLate = now - _readNanos > settings.RecoveryNanos;
        if (open.Length == 0 || isLate)
        {
            _left.Check(open.Length == 0, now, () => $"Something is open long after the last request: {open}.");
            IsOver = true;
        }
    }
}
