namespace CamCube.SystemTests.Cables;

/// <summary>Tests that take the whole machine: one after the other, after all others.</summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class CablesGroup
{
    public const string Name = "cables";
}
