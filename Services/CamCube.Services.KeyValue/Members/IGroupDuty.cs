namespace CamCube.Services.KeyValue.Members;

/// <summary>What has to do with requests: is told what becomes of them. Called on the loop, within a step; must not
/// step a group itself.</summary>
internal interface IGroupDuty
{
    /// <summary>This server leads the group.</summary>
    void Leads(Member member);

    /// <summary>It leads it no more: what is not shown has no known end here.</summary>
    void Resigns(Member member);

    /// <summary>What was proposed last lies at this index.</summary>
    void Appended(Member member, ulong index);

    /// <summary>What was proposed, or asked for, is not done.</summary>
    void Declined(Member member);

    /// <summary>An entry is visible.</summary>
    void Shown(Member member, TailEntry entry);

    /// <summary>The reads that wait belong to a round.</summary>
    void ReadNoted(Member member, ulong round);

    /// <summary>Reads up to a round may be answered.</summary>
    void ReadConfirmed(Member member, ulong round);

    /// <summary>Every so often while this server leads a group.</summary>
    void Look(Member member);
}
