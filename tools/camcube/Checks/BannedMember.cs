namespace CamCube.Tool.Checks;

/// <summary>An entry of the list of banned members.</summary>
/// <param name="Id">Its documentation id, as in the list.</param>
/// <param name="Advice">What to do instead.</param>
public sealed record BannedMember(string Id, string Advice);
