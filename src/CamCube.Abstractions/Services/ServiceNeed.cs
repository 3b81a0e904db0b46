namespace CamCube;

/// <summary>A service that another one needs.</summary>
/// <param name="Contract">What it implements: an interface of a contract assembly.</param>
/// <param name="Setting">The setting that asks for it, within the section of the service that needs it.</param>
/// <param name="Remedy">What to do if there is none, in words for people: a sentence.</param>
public readonly record struct ServiceNeed(Type Contract, string Setting, string Remedy);
