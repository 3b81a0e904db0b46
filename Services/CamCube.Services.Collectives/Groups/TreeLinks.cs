namespace CamCube.Services.Collectives.Groups;

/// <summary>The edges of one member in one tree.</summary>
/// <param name="Parent">Its parent; null at the root.</param>
/// <param name="Children">Its children, in the order in which they are added.</param>
internal sealed record TreeLinks(TreeLink? Parent, TreeLink[] Children);
