namespace CamCube.TestServices.FrontEnds;

/// <summary>It does not say which service it is for, and has none beside it.</summary>
[FrontEnd("orphan", 0)]
public sealed class OrphanFrontEnd : QuietFrontEnd;
