namespace CamCube.Trees;

/// <summary>What pulls along one tree count. Loop only.</summary>
/// <param name="Bytes">Bytes of answers.</param>
/// <param name="Opened">Pulls that were opened.</param>
/// <param name="Again">Of these, those that had broken off.</param>
/// <param name="Detours">Of these, those that do not come on the tree's own cable: by all link-disjoint paths.</param>
internal sealed record TreeCounts(Counter Bytes, Counter Opened, Counter Again, Counter Detours);
