using CamCube.Services.Distribution.Wire;
using CamCube.Trees;

namespace CamCube.Services.Distribution.Jobs;

/// <summary>The jobs that a server knows, and how it hears of others: as a member, or because it passes them on. Loop
/// only.</summary>
/// <param name="terms">What all jobs have in common.</param>
/// <param name="line">How other servers are spoken to.</param>
internal sealed class KnownJobs(JobTerms terms, IMemberLine line)
{
    // How often one that does not answer is asked for a manifest.
    private const int Attempts = 3;
    private const long NanosPerSecond = 1_000_000_000;
    private readonly Dictionary<ulong, Job> _jobs = [];
    private readonly Dictionary<ulong, ManifestSearch> _searches = [];
    private readonly OverJobs _over = new(2 * terms.Options.Known);
    private readonly OverJobs _givenUp = new(2 * terms.Options.Known);

    /// <summary>How many there are.</summary>
    public int Count => _jobs.Count;

    /// <summary>Jobs of which this server has heard, and has no manifest yet.</summary>
    public int Searches => _searches.Count;

    /// <summary>What an earlier run has left was looked at: before that nothing begins.</summary>
    public bool IsReady { get; set; }

    /// <summary>A job; null: it is not known.</summary>
    public Job? Of(ulong number) => _jobs.GetValueOrDefault(number);

    /// <summary>One of this server's own.</summary>
    public void Add(Job job)
    {
        job.IsAssured = true;
        _jobs[job.Manifest.JobNumber] = job;
    }

    /// <summary>What is said of a job to who asks how far it is.</summary>
    public MemberReport ReportOf(ulong number, Job? job) =>
        job?.Received?.Report
        // A source that was started again may not know that it had ended a job.
        ?? (_over.Contains(number) ? new(MemberStage.Failed, 0, "the job has ended") : default);

    /// <summary>Its source has ended it.</summary>
    public void OnEnd(ulong number, Coordinate from)
    {
        if (Of(number) is { } job)
        {
            End(job, _over);
        }
        else if (_searches.GetValueOrDefault(number) is { } search && (search.Notice is null || search.Source == from))
        {
            // Who is just being told need not begin.
            search.IsOver = true;
            if (search.Notice is not null)
            {
                _over.Add(number);
            }
        }
    }

    /// <summary>It is no more.</summary>
    public void Forget(Job job) => End(job, null);

    /// <summary>Somebody pulls a job that is not known.</summary>
    public PullRefusal OnPull(PullOutput output, in VertexId vertex, PieceRequest request, out IPullSource? source)
    {
        // Who pulls knows what job it is.
        var pull = new WaitingPull(output, vertex, request);
        bool waits = Search(vertex.Job, output.Consumer)?.TryWait(pull) == true;
        source = waits ? pull : null;
        return waits ? PullRefusal.None : PullRefusal.Unknown;
    }

    /// <summary>A member says that there is a job.</summary>
    public void OnTold(ulong number, Coordinate from)
    {
        if (!_jobs.ContainsKey(number) && !IsOver(number))
        {
            Search(number, from);
        }
    }

    /// <summary>Another server asks for a manifest.</summary>
    public void OnFetch(ulong number, Coordinate from, ulong question)
    {
        if (Of(number) is null && _searches.GetValueOrDefault(number) is { } search)
        {
            search.Wait(from, question);
        }
        else
        {
            line.Give(number, Of(number), from, question);
        }
    }

    /// <summary>A source says that there is a job. Null: there is none here, or not yet.</summary>
    public Job? OnBegin(ulong number, Coordinate from, ReadOnlySpan<byte> content)
    {
        if (JobNotice.TryRead(content, terms.Server.Shape) is not { } notice)
        {
            terms.Counters.Malformed.Add();
            return null;
        }

        if (Of(number) is not { } job)
        {
            (_searches.GetValueOrDefault(number) ?? Search(number, notice.Giver))?.OnNotice(notice, from);
            return null;
        }

        bool isThis = job.Manifest.Source == from && job.Digest.AsSpan().SequenceEqual(notice.Digest);
        if (isThis)
        {
            job.IsAssured = true;
            if (!_over.Contains(number))
            {
                Join(job);
            }

            return job;
        }

        if (job.IsAssured)
        {
            terms.Counters.Malformed.Add();
        }
        else
        {
            OnForged(job);
        }

        return null;
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
                if (!job.IsAssured && terms.Server.Topology.IsReachable(job.Manifest.Source))
                {
                    terms.Server.Loop.Run(() => AssureAsync(job));
                }

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

    private bool IsOver(ulong number) => _over.Contains(number) || _givenUp.Contains(number);

    // Null: there is no place for it.
    private ManifestSearch? Search(ulong number, Coordinate from)
    {
        if (_searches.TryGetValue(number, out ManifestSearch? search))
        {
            return search;
        }

        if (!IsReady || _jobs.Count >= terms.Options.Known || _searches.Count >= terms.Options.Known)
        {
            return null;
        }

        search = new ManifestSearch(number);
        search.Add(from);
        _searches.Add(number, search);
        terms.Server.Loop.Run(() => SearchAsync(search));
        return search;
    }

    private async ValueTask SearchAsync(ManifestSearch search)
    {
        for (int i = 0; i < search.ToAsk.Count && !search.IsOver && Of(search.Number) is null; i++)
        {
            Coordinate server = search.ToAsk[i];
            (byte[]? bytes, ushort agoSeconds) = (null, 0);
            for (int attempt = 0; attempt < Attempts && bytes is null && !search.IsOver; attempt++)
            {
                bool isAsked =
                    terms.Server.Topology.IsReachable(server)
                    && (attempt == 0 || search.Notice is null || search.IsNamed(server));
                if (isAsked)
                {
                    (bytes, agoSeconds) = await line.FetchAsync(search.Number, server);
                }
            }

            if (bytes is { Length: > 0 } && await TryLearnAsync(search, server, bytes) is { } job)
            {
                Begin(search, job, agoSeconds);
                break;
            }
        }

        _searches.Remove(search.Number);
        search.Settle(Of(search.Number), line);
    }

    private void Begin(ManifestSearch search, Job job, ushort agoSeconds)
    {
        // Where it is over it is passed on for who has not heard that, or is still told to have it: a source that was
        // started again may not know that it had ended a job.
        bool isTold = search.Notice is not null;
        if (!isTold)
        {
            // Whoever is told by others keeps it no longer than they do.
            job.HeardNanos -= agoSeconds * NanosPerSecond;
        }

        if (isTold ? !_over.Contains(search.Number) : !IsOver(search.Number))
        {
            Join(job);
        }
    }

    // Null: it is none, or not what the source says, or there is no place for it.
    private async ValueTask<Job?> TryLearnAsync(ManifestSearch search, Coordinate giver, byte[] bytes)
    {
        if (
            ManifestFormat.TryRead(bytes, terms.Server.Shape, terms.Options.MostBlocks) is not { } manifest
            || manifest.JobNumber != search.Number
        )
        {
            terms.Counters.Malformed.Add();
            return null;
        }

        if (manifest.Source == terms.Server.Coordinate)
        {
            // One of this server's own that it does not know is over.
            return null;
        }

        var job = new Job(terms, manifest, bytes) { IsAssured = giver == manifest.Source };
        byte[]? digest =
            search.Notice is null && !job.IsAssured ? await AskDigestAsync(job) : search.Notice?.Digest ?? job.Digest;
        if (search.Notice is { } notice)
        {
            // It may have come while the source was asked.
            digest = search.Source == manifest.Source ? notice.Digest : [];
        }

        bool isRight = digest is not null && digest.AsSpan().SequenceEqual(job.Digest),
            isBelieved = digest is null && !terms.Server.Topology.IsReachable(manifest.Source);
        if (!isRight && (digest is { Length: > 0 } || search.Notice is not null))
        {
            terms.Counters.WrongManifests.Add();
            search.Forger ??= giver;

            // It knows the job, and gives the right one: else who asked a forger, and no other, would never have it.
            search.Add(manifest.Source);
        }

        (job.IsAssured, job.Forger) = (isRight, search.Forger);
        bool hasPlace = !search.IsOver && Of(search.Number) is null && _jobs.Count < terms.Options.Known;
        if (!hasPlace || !(isRight || isBelieved))
        {
            return null;
        }

        _jobs.Add(search.Number, job);
        return job;
    }

    // What the source says of a job's manifest. Empty: it does not know the job; null: it says nothing, or is lost.
    private async ValueTask<byte[]?> AskDigestAsync(Job job) =>
        terms.Server.Topology.IsReachable(job.Manifest.Source)
            ? await line.AskBytesAsync(job.Manifest.JobNumber, DistributionKind.Digest, default, job.Manifest.Source)
            : null;

    // Its source, which was lost when others told of it, is there again.
    private async ValueTask AssureAsync(Job job)
    {
        if (await AskDigestAsync(job) is { Length: > 0 } digest && !job.IsAssured && Of(job.Manifest.JobNumber) == job)
        {
            job.IsAssured = digest.AsSpan().SequenceEqual(job.Digest);
            if (!job.IsAssured)
            {
                OnForged(job);
            }
        }
    }

    // It is gone, and begins when its source tells of it the next time.
    private void OnForged(Job job)
    {
        terms.Counters.WrongManifests.Add();
        End(job, null);
    }
}
