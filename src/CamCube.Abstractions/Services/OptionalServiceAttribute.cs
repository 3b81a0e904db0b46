namespace CamCube;

/// <summary>
/// On a constructor's parameter of type <see cref="Dependency{T}"/>: the service can do without the other one, so
/// nobody is told if no service of the server offers it. A parameter with a default value says the same.
/// </summary>
[AttributeUsage(AttributeTargets.Parameter)]
public sealed class OptionalServiceAttribute : Attribute;
