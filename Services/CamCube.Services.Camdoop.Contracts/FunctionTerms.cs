namespace CamCube.Services.Camdoop;

/// <summary>What a function of a job may know of it: the same for all its attempts. Immutable.</summary>
/// <param name="Environment">The job's <see cref="JobDescription.Environment"/>, by name; of a name that is there twice
/// the last one.</param>
/// <param name="Reduces">How many reduces there are.</param>
public sealed record FunctionTerms(IReadOnlyDictionary<string, string> Environment, int Reduces);
