namespace CamCube;

/// <summary>An argument of a <see cref="ServiceCommand"/>, for people.</summary>
/// <param name="Name">Name in camelCase; case does not matter when it is given.</param>
/// <param name="Type">What it may be, in words.</param>
/// <param name="IsRequired">Whether it has no default.</param>
/// <param name="Default">The default as one would write it; null if there is none, or it means nothing.</param>
/// <param name="Description">What it is for; may be empty.</param>
public sealed record CommandArgument(string Name, string Type, bool IsRequired, string? Default, string Description);
