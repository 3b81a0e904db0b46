namespace CamCube.Cabling;

/// <summary>Something that people are to know as long as it is the case.</summary>
/// <param name="About">What it is about: another text about the same takes its place.</param>
/// <param name="Text">A line.</param>
/// <param name="IsFault">Whether it needs mending.</param>
/// <param name="IsRepeated">Whether it is told again after a while.</param>
internal sealed record NewsItem(string About, string Text, bool IsFault, bool IsRepeated);
