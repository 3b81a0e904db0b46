namespace CamCube.Services.Camdoop.Tasks;

/// <summary>What a program is for. Each has places of its own: a map task waits for its combiner, and a reduce for map
/// tasks that are done again, so that with places in common all could be taken by those who wait.</summary>
internal enum ProgramUse
{
    /// <summary>A map task.</summary>
    Map,

    /// <summary>Combining what a map task gave.</summary>
    Combine,

    /// <summary>A reduce.</summary>
    Reduce,
}
