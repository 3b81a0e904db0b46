using System.Reflection;
using CamCube.Runtime.Services;

namespace CamCube.Hosting.Loading;

/// <summary>Where a service's constructor parameters come from that belong to its server.</summary>
internal static class ServiceInjection
{
    /// <summary>The types, in words.</summary>
    public const string Supplied = "IServer, Dependency<T>";

    private static readonly MethodInfo HandleMethod = typeof(ServiceInjection).GetMethod(
        nameof(Handle),
        BindingFlags.NonPublic | BindingFlags.Static
    )!;

    private static readonly MethodInfo OptionalHandleMethod = typeof(ServiceInjection).GetMethod(
        nameof(OptionalHandle),
        BindingFlags.NonPublic | BindingFlags.Static
    )!;

    /// <summary>Answers for <see cref="IServer"/> and <see cref="Dependency{T}"/>; null for all else.</summary>
    public static Func<ServiceActivation, object?>? Supply(ParameterInfo parameter)
    {
        Type type = parameter.ParameterType;
        return type == typeof(IServer) ? static activation => activation.Server
            : type.IsGenericType && type.GetGenericTypeDefinition() == typeof(Dependency<>)
                ? (IsOptional(parameter) ? OptionalHandleMethod : HandleMethod)
                    .MakeGenericMethod(type.GetGenericArguments())
                    .CreateDelegate<Func<ServiceActivation, object?>>()
            : null;
    }

    private static bool IsOptional(ParameterInfo parameter) =>
        parameter.HasDefaultValue || parameter.GetCustomAttribute<OptionalServiceAttribute>() is not null;

    private static object? Handle<T>(ServiceActivation activation)
        where T : class => activation.Dependency<T>();

    private static object? OptionalHandle<T>(ServiceActivation activation)
        where T : class => activation.Dependency<T>(isOptional: true);
}
