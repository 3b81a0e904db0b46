using CamCube.Services.Distribution.Wire;
using CamCube.Trees;

namespace CamCube.Services.Distribution.Jobs;

/// <summary>The jobs that a server knows, and how it hears of others: as a member, or because it passes them on. Loop
/// only.</summary>
/// <param name="terms">What all jobs have in common.</param>
/// <param name="line">How other servers are spoken to.</param>
internal sealed class KnownJobs(JobTerms terms, IMemberLine line)
{
    // Pulls that wait for one job's manifest: more than there are trees and neighbours.
    private const int MostWaiting = 64;
    private const long NanosPerSecond = 1_000_000_000;
    private readonly Dictionary<ulong, Job> _jobs = [];
    private readonly Dictionary<ulong, List<WaitingPull>> _fetching = [];
    private readonly OverJobs _over = new(2 * terms.Options.Known);
    private readonly OverJobs _givenUp = new(2 * terms.Options.Known);

    /// <summary>How many there are.</summary>
    public int Count => _jobs.Count;

    /// <summary>What an earlier run has left was looked at: before that nothing begins.</summary>
    public bool IsReady { get; set; }

    /// <summary>A job; null: it is not known.</summary>
    public Job? Of(ulong number) => _jobs.GetValueOrDefault(number);

    /// <summary>One of this server's own.</summary>
    public void Add(Job job) => _jobs[job.Manifest.JobNumber] = job;

    /// <summary>What is said of a job to who asks how far it is.</summary>
    public MemberReport ReportOf(ulong number, Job? job) =>
        job?.Received?.Report
        // A source that was started again may not know that it had ended a job.
        ?? (_over.Contains(number) ? new(MemberStage.Failed, 0, "the job has ended") : default);

    /// <summary>Its source has ended it.</summary>
    public void EndAsOver(Job job) => End(job, _over);

    /// <summary>It is no more.</summary>
    public void Forget(Job job) => End(job, null);

    /// <summary>Some pull a job that is not known.</summary>
    public PullRefusal OnPull(PullOutput output, in VertexId vertex, PieceRequest request, out IPullSource? source)
    {
        // Who pulls knows what job it is.
        source = null;
        Fetch(vertex.Job, output.Consumer);
        if (!_fetching.TryGetValue(vertex.Job, out List<WaitingPull>? waiting) || waiting.Count >= MostWaiting)
        {
            return PullRefusal.Unknown;
        }

        var pull = new WaitingPull(output, vertex, request);
        waiting.Add(pull);
        source = pull;
        return PullRefusal.None;
    }

    /// <summary>A member says that there is a job.</summary>
    public void OnTold(ulong number, Coordinate from)
    {
        if (!_jobs.ContainsKey(number) && !IsOver(number))
        {
            Fetch(number, from);
        }
    }

    /// <summary>A source says that there is a job. Null: there is none here.</summary>
    public Job? OnBegin(ulong number, Coordinate from, ReadOnlySpan<byte> content)
    {
        Job? job = Of(number);
        if (job is not null && !content.SequenceEqual(job.Bytes))
        {
            terms.Counters.Malformed.Add();
            return null;
        }

        if (job is null && IsReady && !_over.Contains(number))
        {
            job = Learn(content, number);
            if (job?.Manifest.Source != from)
            {
                terms.Counters.Malformed.Add(job is null ? 0 : 1);
                job = null;
            }
        }

        if (job is not null)
        {
            if (!_over.Contains(number))
            {
                Join(job);
            }

            Settle(number);
        }

        return job;
    }

    /// <summary>Looks after all jobs, now and then.</summary>
    public void Sweep()
    {
        foreach (Job job in _jobs.Values.ToArray())
        {
            if (job.Manifest.Source == terms.Server.Coordinate)
            {
                continue;
            }

            if (terms.Server.NowNanos - job.HeardNanos > terms.Options.KeepTime.TotalNanoseconds && !job.IsPassedOn)
            {
                End(job, job.Received is null ? null : _givenUp);
            }
            else
            {
                job.Look();
                if (job.Untold?.Next() is { } member)
                {
                    terms.Server.Loop.Run(() => job.Untold.TellAsync(line, member));
                }
            }
        }
    }

    /// <summary>The topology is another one.</summary>
    public void OnTopologyChanged()
    {
        foreach (Job job in _jobs.Values.ToArray())
        {
            job.Kept?.OnTopologyChanged();
        }
    }

    // One that was given up begins again if its source says so; one that is over does not.
    private void End(Job job, OverJobs? why)
    {
        _jobs.Remove(job.Manifest.JobNumber);
        why?.Add(job.Manifest.JobNumber);
        job.Stop();
    }

    // A job that was not known; null: there is no place for it, or it is none.
    private Job? Learn(ReadOnlySpan<byte> content, ulong number)
    {
        if (ManifestFormat.TryRead(content, terms.Server.Shape, terms.Options.MostBlocks) is not { } manifest)
        {
            terms.Counters.Malformed.Add();
            return null;
        }

        // One of this server's own that it does not know is over, too.
        bool canBe = manifest.JobNumber == number && manifest.Source != terms.Server.Coordinate;
        if (!canBe || _jobs.Count >= terms.Options.Known)
        {
            return null;
        }

        var job = new Job(terms, manifest, content.ToArray());
        _jobs.Add(number, job);
        return job;
    }

    private void Join(Job job)
    {
        if (job.Received is not null || !job.Manifest.HasMember(terms.Server.Shape.RankOf(terms.Server.Coordinate)))
        {
            return;
        }

        bool isNameTaken = _jobs.Values.Any(other =>
            other.Received is { IsOpen: true } && other.Manifest.Name == job.Manifest.Name
        );
        var received = new ReceivedFile(terms, job, line);
        job.Received = received;
        terms.Server.Loop.Run(() => received.BeginAsync(isNameTaken));
    }

    // Who waited for a job is answered.
    private void Settle(ulong number)
    {
        if (_fetching.Remove(number, out List<WaitingPull>? waiting))
        {
            waiting.ForEach(pull => pull.Settle(_jobs.GetValueOrDefault(number)));
        }
    }

    private bool IsOver(ulong number) => _over.Contains(number) || _givenUp.Contains(number);

    private void Fetch(ulong number, Coordinate from)
    {
        bool hasRoom = _jobs.Count < terms.Options.Known && _fetching.Count < terms.Options.Known;

        // Where it is over it is passed on for who has not heard that, or is still told to have it: a source that was
        // started again may not know that it had ended a job.
        bool isOver = IsOver(number);
        if (!IsReady || !hasRoom || !_fetching.TryAdd(number, []))
        {
            return;
        }

        terms.Server.Loop.Run(async () =>
        {
            (byte[] bytes, ushort agoSeconds) = await line.FetchAsync(number, from);
            if (bytes.Length > 0 && !_jobs.ContainsKey(number) && Learn(bytes, number) is { } job && !isOver)
            {
                // Whoever is told by others keeps it no longer than they do.
                job.HeardNanos -= agoSeconds * NanosPerSecond;
                Join(job);
            }

            Settle(number);
        });
    }
}
