using System.Reflection;
using CamCube.Hosting.Settings;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Logging;

namespace CamCube.Hosting.Loading;

/// <summary>Reads from a class's constructor what it needs, and binds its options once for all instances.</summary>
/// <param name="loggers">Loggers of the host.</param>
/// <param name="binder">Binds options.</param>
/// <param name="mistakes">Gets what cannot be supplied.</param>
internal sealed class ConstructorPlanner(ILoggerFactory loggers, SettingsBinder binder, Mistakes mistakes)
{
    /// <summary>A plan, or null after a mistake.</summary>
    /// <param name="type">The class.</param>
    /// <param name="section">Its settings; null if it has none.</param>
    /// <param name="hostNames">Names in the section that the host reads itself.</param>
    /// <param name="supply">Answers where a parameter comes from, or null if it is none of the
    /// caller's.</param>
    /// <param name="supplied">The caller's types in words.</param>
    /// <param name="options">The bound options object, or null if the class wants none.</param>
    public ConstructorPlan<TContext>? Plan<TContext>(
        Type type,
        IConfigurationSection section,
        IReadOnlyCollection<string> hostNames,
        Func<ParameterInfo, Func<TContext, object?>?> supply,
        string supplied,
        out object? options
    )
    {
        options = null;
        if (type.GetConstructors() is not [{ } constructor])
        {
            mistakes.Add($"{type.FullName}: one public constructor is needed, it has {type.GetConstructors().Length}.");
            return null;
        }

        List<Func<TContext, object?>> arguments = [];
        bool complete = true;
        foreach (ParameterInfo parameter in constructor.GetParameters())
        {
            Type wanted = parameter.ParameterType;
            if ((supply(parameter) ?? Logger<TContext>(wanted, type)) is { } argument)
            {
                arguments.Add(argument);
            }
            else if (IsOptions(wanted) && options is null)
            {
                object bound = options = Activator.CreateInstance(wanted)!;
                arguments.Add(_ => bound);
            }
            else
            {
                string hint = wanted == typeof(TimeProvider) ? "; the server's own clock is IServer.TimeProvider" : "";
                mistakes.Add(
                    $"{type.FullName}: the constructor parameter {wanted.Name} {parameter.Name} cannot be supplied; "
                        + $"there are {supplied}, an options class (one, with a constructor without parameters), "
                        + $"ILogger, ILogger<T> and ILoggerFactory{hint}."
                );
                complete = false;
            }
        }

        // Also without an options class: then every further name in the section is a mistake.
        binder.Bind(section, options is null ? [] : [options], hostNames);
        return complete ? new ConstructorPlan<TContext>(constructor, arguments) : null;
    }

    private static bool IsOptions(Type type) =>
        type is { IsClass: true, IsAbstract: false }
        && type.GetConstructor(Type.EmptyTypes) is not null
        && !SharedAssemblies.IsShared(type.Assembly.GetName().Name!);

    private Func<TContext, object?>? Logger<TContext>(Type wanted, Type owner)
    {
        object? logger =
            wanted == typeof(ILoggerFactory) ? loggers
            : wanted == typeof(ILogger) ? loggers.CreateLogger(owner)
            : wanted.IsGenericType && wanted.GetGenericTypeDefinition() == typeof(ILogger<>)
                ? Activator.CreateInstance(typeof(Logger<>).MakeGenericType(wanted.GetGenericArguments()), loggers)
            : null;
        return logger is null ? null : _ => logger;
    }
}
