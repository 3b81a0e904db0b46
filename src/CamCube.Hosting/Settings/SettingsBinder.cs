using System.ComponentModel.DataAnnotations;
using System.Globalization;
using System.Reflection;
using CamCube.ValueTexts;
using Microsoft.Extensions.Configuration;

namespace CamCube.Hosting.Settings;

/// <summary>
/// Fills options objects from a section of the configuration, by the names of their properties, and notes every
/// mistake: a name that no property has, a text that is no value of the property's type, a value that an attribute of
/// System.ComponentModel.DataAnnotations refuses. The framework's own binder stops at the first mistake and does not
/// say what is allowed; its validator keeps types for ever, so that a service's load context could never be unloaded.
/// </summary>
internal sealed class SettingsBinder(Mistakes mistakes)
{
    /// <summary>Fills the properties of the targets from the children of the section.</summary>
    /// <param name="section">Section.</param>
    /// <param name="targets">Options objects; each setting goes to the first that has a property of its name.</param>
    /// <param name="others">Names in this section that somebody else reads.</param>
    public void Bind(IConfigurationSection section, IReadOnlyList<object> targets, IReadOnlyCollection<string> others)
    {
        List<(object Target, PropertyInfo Property)> known =
        [
            .. targets.SelectMany(target => PropertiesOf(target.GetType()).Select(property => (target, property))),
        ];
        foreach (IConfigurationSection child in section.GetChildren())
        {
            if (others.Contains(child.Key, StringComparer.OrdinalIgnoreCase))
            {
                continue;
            }

            (object? target, PropertyInfo? property) = known.Find(k =>
                k.Property.Name.Equals(child.Key, StringComparison.OrdinalIgnoreCase)
            );
            if (property is null)
            {
                string[] names = [.. known.Select(k => k.Property.Name), .. others];
                mistakes.Add(UnknownSetting.Describe(section.Path, child.Key, names));
            }
            else
            {
                BindOne(child, $"{section.Path}:{property.Name}", target!, property);
            }
        }

        foreach (object target in targets)
        {
            Validate(section, target);
        }
    }

    /// <summary>The settable public properties of an options class.</summary>
    public static IReadOnlyList<PropertyInfo> PropertiesOf(Type type) =>
        [
            .. type.GetProperties(BindingFlags.Public | BindingFlags.Instance)
                .Where(p => p.CanRead && p.GetIndexParameters().Length == 0)
                .Where(p => p.SetMethod?.IsPublic == true || IsGroup(p.PropertyType)),
        ];

    private static bool IsGroup(Type type) =>
        type is { IsClass: true, IsAbstract: false }
        && !SettingValue.IsSingle(type)
        && ElementOf(type) is null
        && type.GetConstructor(Type.EmptyTypes) is not null;

    private static Type? ElementOf(Type type) =>
        type.IsArray ? type.GetElementType()
        : type.IsGenericType
        && type.GetGenericTypeDefinition() is { } open
        && (open == typeof(List<>) || open == typeof(IList<>) || open == typeof(IReadOnlyList<>))
            ? type.GetGenericArguments()[0]
        : null;

    private void BindOne(IConfigurationSection child, string path, object target, PropertyInfo property)
    {
        if (SettingValue.IsSingle(property.PropertyType))
        {
            foreach (IConfigurationSection below in child.GetChildren())
            {
                mistakes.Add($"{below.Path} is not a setting; did you mean {path}?");
            }

            // JSON's null, or only children: nothing was said about this setting.
            if (child.Value is { } text && TryConvert(property.PropertyType, path, text, out object? value))
            {
                property.SetValue(target, value);
            }
        }
        else if (ElementOf(property.PropertyType) is { } element)
        {
            BindList(child, path, target, property, element);
        }
        else if (IsGroup(property.PropertyType))
        {
            object group = property.GetValue(target) ?? Activator.CreateInstance(property.PropertyType)!;
            if (!string.IsNullOrEmpty(child.Value))
            {
                string names = string.Join(", ", PropertiesOf(property.PropertyType).Select(p => p.Name));
                mistakes.Value(path, child.Value, $"this is a group of settings: {names}");
            }

            Bind(child, [group], []);
            property.SetMethod?.Invoke(target, [group]);
        }
        else
        {
            mistakes.Add($"{path} cannot be set: {property.PropertyType.Name} is not a type of settings.");
        }
    }

    private void BindList(IConfigurationSection child, string path, object target, PropertyInfo property, Type element)
    {
        // A list is a JSON array, numbered settings (Name:0, Name:1), or one text with commas.
        IEnumerable<string> texts = child.Value is { } text
            ? text.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries)
            : child.GetChildren().Select(c => c.Value ?? "");
        List<object?> values = [];
        foreach (string one in texts)
        {
            if (TryConvert(element, path, one, out object? value))
            {
                values.Add(value);
            }
        }

        Array array = Array.CreateInstance(element, values.Count);
        for (int i = 0; i < values.Count; i++)
        {
            array.SetValue(values[i], i);
        }

        property.SetValue(
            target,
            property.PropertyType.IsAssignableFrom(array.GetType())
                ? array
                : Activator.CreateInstance(typeof(List<>).MakeGenericType(element), array)
        );
    }

    private bool TryConvert(Type type, string path, string text, out object? value)
    {
        string? allowed = SettingValue.TryConvert(type, text, out value);
        if (allowed is not null)
        {
            mistakes.Value(path, text, allowed);
        }

        return allowed is null;
    }

    private void Validate(IConfigurationSection section, object target)
    {
        foreach (PropertyInfo property in PropertiesOf(target.GetType()))
        {
            object? value = property.GetValue(target);
            string path = $"{section.Path}:{property.Name}";
            var context = new ValidationContext(target, property.Name, null, null) { MemberName = property.Name };
            foreach (ValidationAttribute attribute in property.GetCustomAttributes<ValidationAttribute>())
            {
                if (attribute.GetValidationResult(value, context) is { } refused)
                {
                    string text = section[property.Name] ?? Convert.ToString(value, CultureInfo.InvariantCulture) ?? "";
                    mistakes.Value(
                        path,
                        text,
                        attribute is RangeAttribute range
                            ? $"allowed is {Text(range.Minimum)} to {Text(range.Maximum)}"
                            : (refused.ErrorMessage ?? "not allowed").TrimEnd('.')
                    );
                }
            }
        }

        if (target is IValidatableObject validatable)
        {
            var context = new ValidationContext(target, target.GetType().Name, null, null);
            foreach (ValidationResult result in validatable.Validate(context))
            {
                string member = result.MemberNames.FirstOrDefault() is { } name ? $":{name}" : "";
                mistakes.Add($"{section.Path}{member}: {result.ErrorMessage}");
            }
        }
    }

    private static string Text(object bound) =>
        bound is TimeSpan duration
            ? DurationText.Format(duration)
            : Convert.ToString(bound, CultureInfo.InvariantCulture) ?? "";
}
