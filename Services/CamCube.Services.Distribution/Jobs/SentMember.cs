using CamCube.Services.Distribution.Wire;

namespace CamCube.Services.Distribution.Jobs;

/// <summary>A member as its source sees it. Loop only.</summary>
/// <param name="server">The member.</param>
internal sealed class SentMember(Coordinate server)
{
    /// <summary>The member.</summary>
    public Coordinate Server { get; } = server;

    /// <summary>Where it is.</summary>
    public MemberStage Stage { get; private set; }

    /// <summary>What went wrong, or is waited for; null: nothing.</summary>
    public string? Words { get; private set; }

    /// <summary>Bytes of the file that it has.</summary>
    public long Bytes { get; private set; }

    /// <summary>When it was known to have the file, or to have failed; 0: it is not over.</summary>
    public long EndedNanos { get; private set; }

    /// <summary>When it said something last.</summary>
    public long HeardNanos { get; set; }

    /// <summary>It has the file, or never will.</summary>
    public bool IsOver => EndedNanos != 0;

    /// <summary>It said how far it is.</summary>
    public void Report(in MemberReport report, long now)
    {
        (Stage, Words, Bytes, HeardNanos) = (report.Stage, report.Words, report.Bytes, now);
        EndedNanos = Stage is MemberStage.Done or MemberStage.Failed ? now : 0;
    }

    /// <summary>Nothing is heard of it.</summary>
    public void Lose(string words) => (Stage, Words) = (MemberStage.Lost, words);
}
