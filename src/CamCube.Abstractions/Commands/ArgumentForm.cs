using System.ComponentModel;
using System.ComponentModel.DataAnnotations;
using System.Globalization;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text.Json;
using CamCube.ValueTexts;

namespace CamCube;

/// <summary>The arguments that a type stands for, and how texts become an instance of it. Immutable; any
/// thread.</summary>
internal sealed class ArgumentForm
{
    /// <summary>Characters of one argument.</summary>
    public const int LongestText = 4_096;

    private readonly ConstructorInfo? _constructor;
    private readonly List<Member> _members = [];

    private ArgumentForm(Type? type)
    {
        if (type is not null)
        {
            _constructor =
                type.GetConstructors().MaxBy(constructor => constructor.GetParameters().Length)
                ?? throw new ArgumentException(
                    $"{type.Name} has no public constructor, so it cannot be the arguments of a command."
                );
            ParameterInfo[] parameters = _constructor.GetParameters();
            _members.AddRange(parameters.Select(Member.Of));
            PropertyInfo[] others =
            [
                .. type.GetProperties()
                    .Where(p =>
                        p.SetMethod is { IsPublic: true }
                        && p.GetIndexParameters().Length == 0
                        && !parameters.Any(parameter => parameter.Name == p.Name)
                    ),
            ];
            object? made = others.Length == 0 ? null : TryMake([.. _members.Select(member => member.Default)]);
            _members.AddRange(others.Select(p => Member.Of(p, made)));
            foreach (Member member in _members.Where(member => !SettingValue.IsSingle(member.Element)))
            {
                throw new ArgumentException(
                    $"{type.Name}.{member.Name} cannot be an argument of a command: {member.Type.Name} is not read "
                        + $"from text."
                );
            }
        }

        Arguments = [.. _members.Select(member => member.Describe())];
    }

    /// <summary>No arguments.</summary>
    public static ArgumentForm None { get; } = new(null);

    /// <summary>The arguments in order.</summary>
    public IReadOnlyList<CommandArgument> Arguments { get; }

    /// <summary>The arguments of a type.</summary>
    /// <exception cref="ArgumentException">It has one that cannot be read from text.</exception>
    public static ArgumentForm Of(Type type) => new(type);

    /// <summary>An instance with these values; worth something only if there are no mistakes.</summary>
    public object Read(IReadOnlyList<KeyValuePair<string, string>> given, ArgumentMistakes mistakes)
    {
        object?[] values = [.. _members.Select(member => member.Default)];
        int[] times = new int[_members.Count];
        foreach ((string name, string text) in given)
        {
            int i = _members.FindIndex(member => member.Name.Equals(name, StringComparison.OrdinalIgnoreCase));
            if (i < 0)
            {
                mistakes.Unknown(name, Arguments);
            }
            else if (++times[i] == 1)
            {
                values[i] = _members[i].Read(text, mistakes);
            }
        }

        for (int i = 0; i < times.Length; i++)
        {
            if (times[i] > 1)
            {
                mistakes.Add($"{_members[i].Name} is given {times[i]:N0} times.");
            }
            else if (times[i] == 0 && _members[i].IsRequired)
            {
                string description = _members[i].Description;
                mistakes.Add(
                    $"{_members[i].Name} is missing{(description.Length > 0 ? $" ({description.TrimEnd('.')})" : "")}."
                );
            }
        }

        if (mistakes.Any || _constructor is null)
        {
            return this;
        }

        object made = Make(values);
        for (int i = 0; i < times.Length; i++)
        {
            if (times[i] > 0)
            {
                _members[i].Property?.SetValue(made, values[i]);
            }
        }

        return made;
    }

    // A constructor that throws does so by itself, not inside of something that reflection made.
    private object Make(object?[] values) =>
        _constructor!.Invoke(
            BindingFlags.DoNotWrapExceptions,
            null,
            values[.._constructor.GetParameters().Length],
            CultureInfo.InvariantCulture
        );

    private object? TryMake(object?[] values)
    {
        try
        {
            return Make(values);
        }
        catch (Exception)
        {
            // It wants values that nobody has given yet: then its defaults are not shown.
            return null;
        }
    }

    private sealed record Member(
        string Name,
        Type Type,
        Type Element,
        bool IsRequired,
        object? Default,
        PropertyInfo? Property,
        string Description,
        IReadOnlyList<ValidationAttribute> Checks
    )
    {
        public static Member Of(ParameterInfo parameter) =>
            Of(
                parameter.Name!,
                parameter.ParameterType,
                !parameter.HasDefaultValue,
                parameter.HasDefaultValue ? parameter.DefaultValue : null,
                null,
                parameter.GetCustomAttributes()
            );

        public static Member Of(PropertyInfo property, object? made) =>
            Of(
                property.Name,
                property.PropertyType,
                property.IsDefined(typeof(RequiredMemberAttribute)),
                made is null ? null : property.GetValue(made),
                property,
                property.GetCustomAttributes()
            );

        public CommandArgument Describe() => new(Name, Words(), IsRequired, DefaultText(), Description);

        /// <summary>The value of a text, or a mistake.</summary>
        public object? Read(string text, ArgumentMistakes mistakes)
        {
            if (text.Length > LongestText)
            {
                mistakes.Add($"{Name} has {text.Length:N0} characters; at most {LongestText:N0} are allowed.");
                return Default;
            }

            object? value;
            string? wrong;
            if (Type == Element)
            {
                wrong = SettingValue.TryConvert(Element, text, out value);
            }
            else
            {
                value = ReadList(text, out wrong);
            }

            wrong ??= Checks.Select(check => Refusal(check, value)).FirstOrDefault(refusal => refusal is not null);
            if (wrong is not null)
            {
                mistakes.Value(Name, text, wrong);
            }

            return value;
        }

        private static Member Of(
            string name,
            Type type,
            bool isRequired,
            object? standard,
            PropertyInfo? property,
            IEnumerable<Attribute> attributes
        )
        {
            Attribute[] all = [.. attributes];
            Type element = type.IsArray ? type.GetElementType()! : type;

            // Reflection says null of a parameter whose default is that of its value type.
            standard ??=
                type.IsValueType && Nullable.GetUnderlyingType(type) is null
                    ? RuntimeHelpers.GetUninitializedObject(type)
                    : null;
            return new Member(
                JsonNamingPolicy.CamelCase.ConvertName(name),
                type,
                element,
                isRequired,
                standard,
                property,
                all.OfType<DescriptionAttribute>().FirstOrDefault()?.Description ?? "",
                [.. all.OfType<ValidationAttribute>()]
            );
        }

        private static string? Refusal(ValidationAttribute check, object? value) =>
            check switch
            {
                _ when check.IsValid(value) => null,
                RangeAttribute range => $"allowed is {Text(range.Minimum)} to {Text(range.Maximum)}",
                MaxLengthAttribute most => $"at most {most.Length} are allowed",
                _ => check.FormatErrorMessage("it").TrimEnd('.'),
            };

        private static string Text(object? value) =>
            value switch
            {
                // A range of durations is written as text until it is first used.
                string text when TimeSpan.TryParse(text, CultureInfo.InvariantCulture, out TimeSpan time) =>
                    DurationText.Format(time),
                TimeSpan time => DurationText.Format(time),
                bool flag => flag ? "true" : "false",
                Enum member => JsonNamingPolicy.CamelCase.ConvertName(member.ToString()),
                LinkSet links => links.ToString().Trim('{', '}'),
                Array list => string.Join(';', list.Cast<object>().Select(Text)),
                _ => Convert.ToString(value, CultureInfo.InvariantCulture) ?? "",
            };

        private Array ReadList(string text, out string? wrong)
        {
            string[] texts = text.Split(';', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
            Array list = Array.CreateInstance(Element, texts.Length);
            wrong = texts.Length == 0 ? "at least one is wanted" : null;
            for (int i = 0; i < texts.Length && wrong is null; i++)
            {
                wrong = SettingValue.TryConvert(Element, texts[i], out object? one);
                if (wrong is null)
                {
                    list.SetValue(one, i);
                }
                else
                {
                    wrong += " (with ; between them)";
                }
            }

            return list;
        }

        private string? DefaultText() =>
            IsRequired || Default is null || Text(Default) is not { Length: > 0 } text ? null
            : Default is TimeSpan ? text.Replace(" ", "", StringComparison.Ordinal)
            : text;

        private string Words()
        {
            string word = SettingValue.Describe(Element);
            string range = Checks.OfType<RangeAttribute>().FirstOrDefault() is { } r
                ? $", {Text(r.Minimum)} to {Text(r.Maximum)}"
                : "";
            string many = Checks.OfType<MaxLengthAttribute>().FirstOrDefault() is { } most
                ? $"up to {most.Length} of "
                : "one or more of ";
            return Type == Element ? word + range : $"{many}{word}, with ; between";
        }
    }
}
