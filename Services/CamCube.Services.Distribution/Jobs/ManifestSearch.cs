using CamCube.Services.Distribution.Wire;

namespace CamCube.Services.Distribution.Jobs;

/// <summary>
/// The search for the manifest of a job of which a server has heard: who is asked for it, in turn, and who waits for
/// it here. Loop only.
/// </summary>
/// <param name="number">The job's number.</param>
internal sealed class ManifestSearch(ulong number)
{
    // More than there are trees and neighbours.
    private const int MostPulls = 64;
    private readonly List<WaitingPull> _pulls = [];
    private readonly Dictionary<Coordinate, ulong> _questions = [];
    private readonly List<Coordinate> _toAsk = [];

    /// <summary>The job's number.</summary>
    public ulong Number { get; } = number;

    /// <summary>Who is asked, one after the other; it grows when the source has said something.</summary>
    public IReadOnlyList<Coordinate> ToAsk => _toAsk;

    /// <summary>What its source has said; null: nothing yet.</summary>
    public JobNotice? Notice { get; private set; }

    /// <summary>Who has said so.</summary>
    public Coordinate Source { get; private set; }

    /// <summary>The first who gave one that the source has not made; null: nobody.</summary>
    public Coordinate? Forger { get; set; }

    /// <summary>Its source has ended the job meanwhile.</summary>
    public bool IsOver { get; set; }

    /// <summary>Somebody who may know it.</summary>
    public void Add(Coordinate server)
    {
        if (!_toAsk.Contains(server))
        {
            _toAsk.Add(server);
        }
    }

    /// <summary>The source has said so: its word counts, and it is asked itself when nobody else has the
    /// manifest.</summary>
    public void OnNotice(in JobNotice notice, Coordinate source)
    {
        (Notice, Source) = (notice, source);
        Add(notice.Giver);
        Add(source);
    }

    /// <summary>Whether a server was named by the source: it is asked more than once.</summary>
    public bool IsNamed(Coordinate server) => Notice is { } notice && (server == notice.Giver || server == Source);

    /// <summary>Somebody pulls meanwhile. False: too many do.</summary>
    public bool TryWait(WaitingPull pull)
    {
        if (_pulls.Count == MostPulls)
        {
            return false;
        }

        _pulls.Add(pull);
        return true;
    }

    /// <summary>Another server asks for it meanwhile: it will be told. Its last question counts.</summary>
    public void Wait(Coordinate server, ulong question) => _questions[server] = question;

    /// <summary>It has ended: who waited is answered.</summary>
    /// <param name="job">The job; null: it is not known here.</param>
    /// <param name="line">How other servers are spoken to.</param>
    public void Settle(Job? job, IMemberLine line)
    {
        foreach ((Coordinate server, ulong question) in _questions)
        {
            line.Give(Number, job, server, question);
        }

        _pulls.ForEach(pull => pull.Settle(job));
    }
}
