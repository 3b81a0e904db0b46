namespace CamCube.SystemTests.Pictures;

/// <summary>A project, or a folder of one, in a picture of the house.</summary>
/// <param name="Name">Its name there.</param>
/// <param name="Kind">What colours it: a class of the picture's style.</param>
/// <param name="Floor">Its floor; 0 is the highest.</param>
/// <param name="Lines">Lines of code.</param>
/// <param name="Names">The rooms that it names, on floors below.</param>
internal sealed record Room(string Name, string Kind, int Floor, int Lines, IReadOnlyList<string> Names);
